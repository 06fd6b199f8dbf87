/** What came out of a session's passes, for the tests and for the table in docs/clients.md. */
import type { LabVersion } from '../../scripts/wiki/lab.ts'
import { versionOf } from './clients.ts'
import {
  nameOf,
  type Outcomes,
  type PassName,
  passNames,
  type Session,
  sessions
} from './passes.ts'
import type { Outcome } from './run-session.ts'

/** A step that came out otherwise than straight at the wiki. */
export interface Difference {
  readonly step: string
  readonly direct: string
  readonly here: string
}

export function differences(direct: Outcome, here: Outcome): readonly Difference[] {
  const names = new Set([...direct.steps.keys(), ...here.steps.keys()])
  const text = ({ steps }: Outcome, step: string): string => steps.get(step) ?? 'missing'
  return [...names]
    .map((step) => ({ step, direct: text(direct, step), here: text(here, step) }))
    .filter((one) => one.direct !== one.here)
}

export interface Row {
  readonly client: string
  readonly version: string
  readonly session: string
  readonly wiki: LabVersion
  readonly steps: number
  /** By pass that the session took part in: `same`, or the names of the steps that differ from the direct run. */
  readonly passes: Readonly<Partial<Record<PassName, 'same' | readonly string[]>>>
}

export function rowsOf(outcomes: Outcomes, wiki: LabVersion): readonly Row[] {
  return sessions.map((session) => {
    const { client, kind } = session
    const [direct] = outcomesOf(outcomes, session, 'direct')
    const passes = passNames.flatMap((name) => {
      const here = outcomes.get(nameOf(session))?.get(name)
      if (name === 'direct' || here === undefined) return []
      const steps = [
        ...new Set(
          here.flatMap((one) => differences(direct, one).map(({ step }) => step))
        )
      ]
      return [[name, steps.length === 0 ? ('same' as const) : steps] as const]
    })
    return {
      client: client.name,
      version: versionOf(client),
      session: kind,
      wiki,
      steps: direct.steps.size,
      passes: Object.fromEntries(passes)
    }
  })
}

/** Of each run of the pass. @throws Error where the session took no part in the pass */
export function outcomesOf(
  outcomes: Outcomes,
  session: Session,
  pass: PassName
): readonly [Outcome, ...Outcome[]] {
  const [first, ...more] = outcomes.get(nameOf(session))?.get(pass) ?? []
  if (first === undefined) throw new Error(`${nameOf(session)} was not run: ${pass}`)
  return [first, ...more]
}
