/**
 * Escapes undone, however deep they are nested. Texts and the values that are searched in them are unescaped alike, so that a
 * value is found in any spelling.
 */

/** Runs are matched whole, so that the pattern takes linear time; up to a length for which V8's stack suffices. */
const escapePattern =
  /((?:%(?:25)*(?:u[0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})){1,100000})|\\+(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|([nrtbf]))?|&(?:amp;)*(?:#(\d{1,7});?|#[xX]([0-9A-Fa-f]{1,6});?|(amp|lt|gt|quot|apos|plus|bsol|sol|nbsp|colon|commat|equals|percnt|num|lowbar|period|comma|excl|dollar|ast|lpar|rpar);)|\0+/g

/** Each with its character at the end. */
const entityList =
  'amp& lt< gt> quot" apos\' plus+ bsol\\ sol/ colon: commat@ equals= percnt% num# lowbar_ period. comma, excl! dollar$ ' +
  'ast* lpar( rpar)'
const namedEntities: ReadonlyMap<string, string> = new Map([
  ['nbsp', ' '],
  ...entityList.split(' ').map((entity) => [entity.slice(0, -1), entity.slice(-1)] as const),
])

/** Escapes that are nested deeper stay. */
const maxDepth = 5

/** The text with percent-encoding, escapes of JSON and JavaScript and entities of HTML undone, and without NUL. */
export function undoEscapes(text: string): string {
  let folded = text
  for (let depth = 0; depth < maxDepth && /[%\\&\0]/.test(folded); depth += 1) {
    const next = folded.replace(escapePattern, decodeEscape)
    if (next === folded) return folded
    folded = next
  }
  return folded
}

/** A text of HTML with its entities decoded once. */
export const unescapeHtml = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|([a-z]{2,6}));/g, (entity, decimal?: string, name = '') =>
        decimal === undefined ? (namedEntities.get(name) ?? entity) : fromPoint(Number(decimal)),
      )
    : text

/** @param groups those of `escapePattern` */
function decodeEscape(whole: string, ...groups: readonly (string | undefined)[]): string {
  const [percent, unit, point, byte, letter, decimal, hex, name] = groups
  if (percent !== undefined) return fromPercent(percent)
  if (unit !== undefined || byte !== undefined)
    return String.fromCharCode(Number.parseInt(unit ?? byte ?? '', 16)).replace('\0', '')
  if (letter !== undefined) return letter === 't' ? '\t' : '\n'
  const code = point ?? hex
  if (code !== undefined || decimal !== undefined)
    return fromPoint(code === undefined ? Number(decimal) : Number.parseInt(code, 16))
  if (name !== undefined) return namedEntities.get(name) ?? whole
  return ''
}

const fromPoint = (point: number): string =>
  point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''

/** Bytes of UTF-8, and the sixteen bits of JavaScript's old `escape`. */
function fromPercent(run: string): string {
  if (!run.includes('u')) {
    const bytes = Buffer.from(run.replaceAll(/%(?:25)*(?=[0-9A-Fa-f]{2})/g, ''), 'hex')
    return bytes.toString('utf8').replaceAll('\0', '')
  }
  return run.replace(/%(?:25)*(?:u([0-9A-Fa-f]{4})|([0-9A-Fa-f]{2}))/g, (_, unit?: string, byte?: string) =>
    String.fromCharCode(Number.parseInt(unit ?? byte ?? '0', 16)),
  )
}
