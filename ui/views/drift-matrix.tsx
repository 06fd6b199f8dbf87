/** Each version with the next one: what drifted, by module. A cell leads to the drift of its step. */
import type { JSX } from 'preact'
import type { DriftReport } from '../compare/drift-report.ts'
import { Fetched } from '../parts/fetched.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Text } from '../parts/text.tsx'
import { linkTo } from '../store/route.ts'
import { useFetch } from '../store/use-fetch.ts'

/** As `wikitape diff A B C --format json` writes it. */
interface DriftMatrix {
  readonly steps: readonly DriftReport[]
  readonly rows: readonly {
    readonly scope: string
    readonly axis: string
    readonly cells: readonly {
      readonly worst: string | null
      readonly causes: number
      readonly findings: readonly string[]
    }[]
  }[]
}

/** Versions that are compared: the newest. */
const maxVersions = 6

export function DriftMatrixView({
  cassette,
  cassettes
}: {
  readonly cassette: string
  /** Oldest first. */
  readonly cassettes: readonly string[]
}): JSX.Element {
  const names = cassettes.slice(-maxVersions)
  const matrix = useFetch<DriftMatrix>(
    'api/matrix',
    { of: names.join('|') },
    { isCostly: true }
  )
  return (
    <Fetched state={matrix}>
      {({ steps, rows }) => (
        <>
          <Steps cassette={cassette} names={names} steps={steps} />
          <Scroll label="drift by module and version">
            <table class="matrix">
              <thead>
                <tr>
                  <th scope="col">Module</th>
                  {steps.map((_, at) => (
                    <th key={at} scope="col">
                      <a
                        href={linkTo('drift', {
                          cassette,
                          a: names[at],
                          b: names[at + 1]
                        })}
                      >
                        <Text>{`${names[at]} → ${names[at + 1]}`}</Text>
                      </a>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ scope, axis, cells }) => (
                  <tr key={`${scope} ${axis}`}>
                    <th scope="row">
                      <Text>{scope}</Text>
                      {axis === 'contract' && <span class="quiet"> contract</span>}
                    </th>
                    {cells.map(({ worst, causes, findings }, at) => (
                      <td key={at}>
                        {worst === null ? (
                          <span class="quiet">·</span>
                        ) : (
                          <a
                            class={`badge ${worst}`}
                            href={linkTo('drift', {
                              cassette,
                              a: names[at],
                              b: names[at + 1],
                              cause: causeOf(steps[at], findings)
                            })}
                          >
                            {worst}
                            {causes > 1 && ` ×${causes}`}
                          </a>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </>
      )}
    </Fetched>
  )
}

/** A bar for each step, of its causes by severity. */
function Steps({
  cassette,
  names,
  steps
}: {
  readonly cassette: string
  readonly names: readonly string[]
  readonly steps: readonly DriftReport[]
}): JSX.Element {
  const most = Math.max(1, ...steps.map(({ causes }) => causes.length))
  return (
    <ol class="steps" aria-label="causes of each step, by severity">
      {steps.map(({ counts, causes }, at) => (
        <li key={at}>
          <a href={linkTo('drift', { cassette, a: names[at], b: names[at + 1] })}>
            <Text>{`${names[at]} → ${names[at + 1]}`}</Text>
          </a>
          <span style={{ width: `${Math.round((100 * causes.length) / most)}%` }}>
            {Object.entries(counts).map(
              ([severity, count]) =>
                count > 0 && (
                  <i
                    key={severity}
                    class={`badge ${severity}`}
                    style={{ flexGrow: count }}
                    title={severity}
                  >
                    {count}
                  </i>
                )
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The cause of the worst finding of a cell. */
const causeOf = (
  step: DriftReport | undefined,
  [worst = '']: readonly string[]
): string | undefined =>
  step?.causes.find(({ findings }) => findings.includes(worst))?.fingerprint
