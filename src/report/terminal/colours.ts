/** Colours of a terminal (ANSI). Without colour the text is the same, and signs tell severities apart. */
import { type SeverityGroup, severityStyles } from '../labels.ts'
import type { DiffSegment } from '../word-diff.ts'

export interface Palette {
  strong(text: string, group: SeverityGroup | undefined): string
  sign(group: SeverityGroup): string
  dim(text: string): string
  hint(text: string): string
  /** A line of one side, with changed words inverted. */
  side(sign: '-' | '+', segments: readonly DiffSegment[]): string
}

/** @param colour false for pipes, files and NO_COLOR */
export function paletteFor(colour: boolean): Palette {
  const paint = (code: string, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  return {
    strong: (text, group) => paint(`1;${group === undefined ? '32' : severityStyles[group].code}`, text),
    sign: (group) => paint(severityStyles[group].code, severityStyles[group].sign),
    dim: (text) => paint('90', text),
    hint: (text) => paint('36', text),
    side: (sign, segments) => {
      const code = sign === '-' ? '31' : '32'
      const texts = segments.map(({ text, changed }) => paint(changed ? `${code};7` : code, text))
      return `${paint(code, `${sign} `)}${texts.join('')}`
    },
  }
}
