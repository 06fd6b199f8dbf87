/** What a person has judged to be no secret: `harmless` in wikitape.config.json. The recorder adds nothing to it. */
import path from 'node:path'
import { isPlainObject } from '../json/plain-json.ts'

/** @param file of a cassette. @param where in it, and the digest of the text, as `check` prints them */
export type IsHarmless = (file: string, where: string, digest: string) => boolean

export interface Judgement {
  readonly digest: string
  readonly place: string
  readonly reason: string
}

/** Settings with the file that they are in. */
interface JudgingSettings {
  readonly file: string
  readonly harmless?: readonly Judgement[]
}

const members = ['digest', 'place', 'reason'] as const

/** The text as it is in the settings. @param settingsFile the paths in it are relative to its folder */
export const placeText = (
  settingsFile: string | undefined,
  file: string,
  where: string
): string => {
  const folder = settingsFile === undefined ? process.cwd() : path.dirname(settingsFile)
  return `${path.relative(folder, path.resolve(file)).replaceAll(path.sep, '/')} ${where}`
}

/** Why a value is no list of judgements; undefined where it is one. */
export function whyNoJudgements(value: unknown): string | undefined {
  const expected =
    'expected for example [{"digest": "0123456789ab", "place": "cassettes/mine/parse/page=A.0123456789ab.json responses[0].json.parse.text", "reason": "an example in the article"}]'
  if (!Array.isArray(value)) return `"harmless" is not a list; ${expected}`
  const isWhole = (one: unknown) =>
    isPlainObject(one) &&
    members.every((name) => typeof one[name] === 'string' && one[name] !== '')
  return value.every(isWhole)
    ? undefined
    : `an item of "harmless" lacks one of ${members.join(', ')}; ${expected}`
}

export function harmlessBy(settings: JudgingSettings | undefined): IsHarmless {
  const judged = new Set(
    settings?.harmless?.map(({ digest, place }) => `${digest} ${place}`)
  )
  return (file, where, digest) =>
    judged.size > 0 && judged.has(`${digest} ${placeText(settings?.file, file, where)}`)
}
