/** Colours of a terminal (ANSI). Without colour the text is the same, and signs tell severities apart. */
import type { SeverityGroup } from '../labels.ts'
import type { DiffSegment } from '../word-diff.ts'

export interface Palette {
  strong(text: string, group: SeverityGroup | undefined): string
  sign(sign: string, group: SeverityGroup): string
  dim(text: string): string
  hint(text: string): string
  /** A line of one side, with changed words inverted. */
  side(sign: '-' | '+', segments: readonly DiffSegment[]): string
}

const codes: Readonly<Record<SeverityGroup, string>> = {
  breaking: '31',
  risky: '33',
  additive: '32',
  note: '36',
  cosmetic: '90',
  noise: '90',
  data: '34',
}

/** @param colour false for pipes, files and NO_COLOR */
export function paletteFor(colour: boolean): Palette {
  const paint = (code: string, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  return {
    strong: (text, group) => paint(group === undefined ? '1;32' : `1;${codes[group]}`, text),
    sign: (sign, group) => paint(codes[group], sign),
    dim: (text) => paint('90', text),
    hint: (text) => paint('36', text),
    side: (sign, segments) => {
      const code = sign === '-' ? '31' : '32'
      const texts = segments.map(({ text, changed }) => paint(changed ? `${code};7` : code, text))
      return `${paint(code, `${sign} `)}${texts.join('')}`
    },
  }
}
