/** `drift.json`: kinds that a team rates otherwise than `kinds.ts` does. */
import { isPlainObject } from '../../json/plain-json.ts'
import type { Change } from './change.ts'
import { isKind, type Kind, type Severity, severities } from './kinds.ts'

/** Severity by kind, for behaviour and contract; content stays data. */
export type SeverityRules = ReadonlyMap<Kind, Severity>

export function applySeverityRules(change: Change, rules: SeverityRules): Change {
  const severity = change.axis === 'data' ? undefined : rules.get(change.kind)
  return severity === undefined ? change : { ...change, severity }
}

/** Reads a parsed `drift.json`, `{"severity": {"field.removed": "risky"}}`; a string says what is wrong with it. */
export function decodeSeverities(value: unknown): SeverityRules | string {
  const table = isPlainObject(value) ? (value['severity'] ?? {}) : undefined
  if (!isPlainObject(table)) return 'expected an object with an object under "severity"'
  const rules = new Map<Kind, Severity>()
  for (const [name, text] of Object.entries(table)) {
    const severity = teamSeverities.find((one) => one === text)
    if (!isKind(name)) return `"${name}" under "severity" is not a kind; docs/drift.md lists them`
    if (severity === undefined)
      return `"${name}" is ${JSON.stringify(text)}; expected one of ${teamSeverities.join(', ')}`
    rules.set(name, severity)
  }
  return rules
}

const teamSeverities = severities.filter((one) => one !== 'noise')
