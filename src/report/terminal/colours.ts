/** Colours of a terminal; without them the same text, told apart by its signs. */

import type { Group } from '../labels.ts'
import type { Segment } from '../word-diff.ts'

export interface Paint {
  strong(text: string, group: Group | undefined): string
  sign(sign: string, group: Group): string
  dim(text: string): string
  hint(text: string): string
  /** A line of one side, with the words that differ set off. */
  side(sign: '-' | '+', segments: readonly Segment[]): string
}

/** SGR codes by group. */
const codes: Readonly<Record<Group, string>> = {
  breaking: '31',
  risky: '33',
  additive: '32',
  note: '36',
  cosmetic: '90',
  noise: '90',
  data: '34',
}

const plain: Paint = {
  strong: (text) => text,
  sign: (sign) => sign,
  dim: (text) => text,
  hint: (text) => text,
  side: (sign, segments) => `${sign} ${segments.map((one) => one.text).join('')}`,
}

const wrap = (code: string, text: string): string => `\u001b[${code}m${text}\u001b[0m`

const coloured: Paint = {
  strong: (text, group) => wrap(group === undefined ? '1;32' : `1;${codes[group]}`, text),
  sign: (sign, group) => wrap(codes[group], sign),
  dim: (text) => wrap('90', text),
  hint: (text) => wrap('36', text),
  side: (sign, segments) => {
    const code = sign === '-' ? '31' : '32'
    return `${wrap(code, `${sign} `)}${segments.map((one) => wrap(one.changed ? `${code};7` : code, one.text)).join('')}`
  },
}

/** @param colour false for pipes, files and NO_COLOR */
export const painter = (colour: boolean): Paint => (colour ? coloured : plain)
