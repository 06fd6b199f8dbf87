/**
 * What of `Accept-Language` chooses an answer: MediaWiki shows texts in the variant that its caller accepts.
 * Source: WebRequest::getAcceptLang, LanguageConverter::getHeaderVariant and LanguageConverterFactory of 1.35 to 1.43.
 */
import { wordSet } from '../../text/words.ts'
import type { SiteFacts } from './site-facts.ts'

/** Content languages with variants. (Those of English need a setting that no wiki in public has.) */
const converted = wordSet('ban crh gan iu kk ku mni sh shi sr tg tly uz wuu zgh zh')

/** The languages of the header, those that are wanted most first, each with its weight. */
export function acceptedLanguages(header: string): readonly string[] {
  const pattern =
    /([a-z]{1,8}(?:-[a-z]{1,8})*|\*)\s*(?:;\s*q\s*=\s*(1(?:\.0{0,3})?|0(?:\.\d{0,3})?)?)?/g
  const weights = new Map<string, number>()
  for (const [, language = '', weight] of header.toLowerCase().matchAll(pattern))
    if (Number(weight ?? 1) !== 0) weights.set(language, Number(weight ?? 1))
  const sorted = [...weights].sort(([, a], [, b]) => b - a)
  return sorted.map(([language, weight]) =>
    weight === 1 ? language : `${language};q=${weight}`
  )
}

/**
 * Those that can choose a variant of the wiki's language; none on a wiki without variants. A text that is parsed may be of a
 * page in any language, e.g. `MediaWiki:Mainpage/zh`. Source: ContentHandler::getPageLanguage, Title::getDbPageLanguage
 */
export function acceptedVariants(
  header: string,
  site: SiteFacts | undefined,
  isParsed = false
): readonly string[] {
  const own = primaryTag(site?.lang ?? '')
  const accepted = acceptedLanguages(header).map((one) => one.replace(/;.*/, ''))
  return accepted.filter((one) => {
    const language = primaryTag(one)
    return converted.has(language) && (isParsed || language === own)
  })
}

/** The variants of Inuktitut have another code: `ike-cans`. */
const primaryTag = (language: string) => language.replace(/-.*/, '').replace('ike', 'iu')
