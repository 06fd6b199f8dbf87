/** Whether a body is whole, judged by its content, since a length may be that of the compressed body. */
import { readJson } from '../../json/read-json.ts'
import { mapPhpStrings } from '../../wiki/answers/php-serialized.ts'

/** `unknown` for formats without an end. @param type the value of `Content-Type` */
export function completenessOf(type: string, bytes: Uint8Array): 'whole' | 'broken' | 'unknown' {
  const isWhole = endChecks.find(([media]) => media.test(type))?.[1]
  if (isWhole === undefined) return 'unknown'
  return isWhole(Buffer.from(bytes).toString('utf8').trim()) ? 'whole' : 'broken'
}

type EndCheck = (text: string) => boolean

const isWholeXml: EndCheck = (text) => {
  const root =
    /^(?:\ufeff|<\?[^>]{0,1000}\?>|<!(?:--[\s\S]{0,10000}?--|[^>]{0,1000})>|\s){0,20}<([\w:.-]{1,100})/.exec(
      text,
    )?.[1]
  return (
    root !== undefined &&
    (text.endsWith(`</${root}>`) || (/\/>$/.test(text) && text.lastIndexOf('<') === text.indexOf(`<${root}`)))
  )
}

const endChecks: readonly (readonly [RegExp, EndCheck])[] = [
  [/^application\/(?:\w[\w.-]*\+)?json\b/i, (text) => readJson(text).ok],
  [/^(?:text|application|image)\/(?:\w[\w.-]*\+)?xml\b/i, isWholeXml],
  [/^application\/vnd\.php\.serialized\b/i, (text) => mapPhpStrings(text, (value) => value) !== undefined],
  [/^text\/html\b/i, (text) => /<\/html>$/i.test(text)],
  [/^text\/javascript\b/i, (text) => /^(?:\/\*\*\/)?[\w.$[\]'"]{1,200}\([\s\S]*\);?$/.test(text)],
]
