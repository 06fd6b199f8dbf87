/**
 * One spelling for all: a text with its escapes undone, however many lie around each other. What is looked for is
 * folded in the same way, so that a value is found whatever its carriers made of it.
 */

/** Runs are consumed whole, so that no text is walked twice. */
const escapePattern =
  /((?:%(?:25)*(?:u[0-9A-Fa-f]{4}|[0-9A-Fa-f]{2}))+)|\\+(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|([nrtbf]))?|&(?:amp;)*(?:#(\d{1,7});?|#[xX]([0-9A-Fa-f]{1,6});?|(amp|lt|gt|quot|apos|plus|bsol|sol|nbsp|colon|commat|equals|percnt|num|lowbar|period|comma|excl|dollar|ast|lpar|rpar);)|\0+/g

const namedEntities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    plus: '+',
    bsol: '\\',
    sol: '/',
    nbsp: ' ',
    colon: ':',
    commat: '@',
    equals: '=',
    percnt: '%',
    num: '#',
    lowbar: '_',
    period: '.',
    comma: ',',
    excl: '!',
    dollar: '$',
    ast: '*',
    lpar: '(',
    rpar: ')',
  }),
)

/** Escapes inside of escapes beyond this depth are left. */
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

function decodeEscape(
  whole: string,
  percent?: string,
  unit?: string,
  point?: string,
  byte?: string,
  letter?: string,
  decimal?: string,
  hex?: string,
  name?: string,
): string {
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
