import { digest } from '../../request/request-key.ts'
import type { DetectedKind } from './scan-text.ts'

/** A secret detected in a file: its location, and as much of it as may be shown. */
export interface DetectedSecret {
  /** Path of JSON members (`responses[0].json.query.tokens.csrftoken`), `line 12` of other text, or `file name`. */
  readonly where: string
  readonly kind: DetectedKind
  /** The value with its middle masked: enough to find it, too little to use it. */
  readonly excerpt: string
  /** Of the value, to recognise it. */
  readonly digest: string
  /** True where a field is named like a secret; false where a text only looks like one, so that a person may judge it. */
  readonly named: boolean
}

export const detectedSecret = (
  where: string,
  kind: DetectedKind,
  value: string,
  named = true
): DetectedSecret => ({
  where,
  kind,
  excerpt: maskMiddle(value),
  digest: digest(value, 12),
  named
})

/** At most an eighth on either side, and never more than four characters. */
function maskMiddle(value: string) {
  const shown = Math.min(4, Math.floor(value.length / 8))
  return `${value.slice(0, shown)}…${value.slice(value.length - shown)}`
}

/** The path of a member or an item, for `jq`. */
export function pathBelow(parent: string, step: number | string): string {
  if (typeof step === 'number') return `${parent}[${step}]`
  if (!/^[\w-]+$/.test(step)) return `${parent}[${JSON.stringify(step)}]`
  return parent === '' ? step : `${parent}.${step}`
}
