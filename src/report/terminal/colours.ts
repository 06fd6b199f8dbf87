/** Colours of a terminal; without them the same text, told apart by its signs. */

import type { SeverityGroup } from '../labels.ts'
import type { DiffSegment } from '../word-diff.ts'

export interface Palette {
  strong(text: string, group: SeverityGroup | undefined): string
  sign(sign: string, group: SeverityGroup): string
  dim(text: string): string
  hint(text: string): string
  /** A line of one side, with the words that differ set off. */
  side(sign: '-' | '+', segments: readonly DiffSegment[]): string
}

/** SGR codes by group. */
const codes: Readonly<Record<SeverityGroup, string>> = {
  breaking: '31',
  risky: '33',
  additive: '32',
  note: '36',
  cosmetic: '90',
  noise: '90',
  data: '34',
}

const noColours: Palette = {
  strong: (text) => text,
  sign: (sign) => sign,
  dim: (text) => text,
  hint: (text) => text,
  side: (sign, segments) => `${sign} ${segments.map((one) => one.text).join('')}`,
}

const withCode = (code: string, text: string): string => `\u001b[${code}m${text}\u001b[0m`

const ansiColours: Palette = {
  strong: (text, group) => withCode(group === undefined ? '1;32' : `1;${codes[group]}`, text),
  sign: (sign, group) => withCode(codes[group], sign),
  dim: (text) => withCode('90', text),
  hint: (text) => withCode('36', text),
  side: (sign, segments) => {
    const code = sign === '-' ? '31' : '32'
    return `${withCode(code, `${sign} `)}${segments.map((one) => withCode(one.changed ? `${code};7` : code, one.text)).join('')}`
  },
}

/** @param colour false for pipes, files and NO_COLOR */
export const paletteFor = (colour: boolean): Palette => (colour ? ansiColours : noColours)
