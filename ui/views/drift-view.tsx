/** Drift between two cassettes: its causes, and the findings of one beside. */
import type { JSX } from 'preact'
import type { CassetteView } from '../../src/pages/views.ts'
import { CassettePair } from '../compare/cassette-pair.tsx'
import { CauseDetail } from '../compare/cause-detail.tsx'
import { type Cause, type DriftReport, suppressedCount } from '../compare/drift-report.ts'
import { Badge } from '../parts/badge.tsx'
import { Command } from '../parts/command.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { plural } from '../parts/format.ts'
import { Split } from '../parts/split.tsx'
import { Text } from '../parts/text.tsx'
import { shellWord } from '../request/copy-as.ts'
import { CauseRow } from '../rows/cause-row.tsx'
import { linkTo, linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
import { DriftMatrixView } from './drift-matrix.tsx'

export function DriftView({
  cassette,
  cassettes,
  params
}: {
  readonly cassette: string
  /** Oldest first. */
  readonly cassettes: readonly string[]
  readonly params: URLSearchParams
}): JSX.Element {
  const at = Math.max(1, cassettes.indexOf(cassette))
  const a = params.get('a') ?? cassettes[at - 1] ?? cassette
  const b = params.get('b') ?? cassettes[at] ?? cassette
  const route = useStore((state) => state.route)
  const isMatrix = params.has('matrix')
  const sideA = useFetch<CassetteView>('api/cassette', { cassette: a })
  const sideB = useFetch<CassetteView>('api/cassette', { cassette: b })
  const dirs = [sideA.value?.dir ?? a, sideB.value?.dir ?? b]
  const report = useFetch<DriftReport>(
    a === b || isMatrix ? undefined : 'api/drift',
    { a, b },
    { isCostly: true }
  )
  const chosen = report.value?.causes.find(
    ({ fingerprint }) => fingerprint === params.get('cause')
  )
  return (
    <Split
      list={
        <>
          <div class="bar">
            <h1>Drift</h1>
            <CassettePair
              a={a}
              b={b}
              cassettes={cassettes}
              link={(pair) => linkTo('drift', { cassette, ...pair })}
            />
          </div>
          {cassettes.length > 2 && (
            <div class="filters">
              <a
                class="chip"
                aria-current={isMatrix ? 'page' : undefined}
                href={linkTo('drift', { cassette, matrix: 1 })}
              >
                all versions
              </a>
            </div>
          )}
          {isMatrix ? (
            <DriftMatrixView cassette={cassette} cassettes={cassettes} />
          ) : a === b ? (
            <p class="quiet pad">
              Choose two different cassettes. There may be no other in this folder.
            </p>
          ) : (
            <Fetched state={report}>
              {(one) => (
                <>
                  <Summary report={one} />
                  <ol class="rows causes">
                    {one.causes.map((cause) => (
                      <CauseRow
                        key={cause.fingerprint}
                        cause={cause}
                        scopes={scopesOf(cause, one)}
                        isCurrent={cause === chosen}
                        href={linkWith(
                          { ...route, view: 'drift' },
                          { a, b, cause: cause.fingerprint }
                        )}
                      />
                    ))}
                  </ol>
                  <div class="pad">
                    <h2>As a file, to send to somebody</h2>
                    <Command>{`wikitape diff ${dirs.map(shellWord).join(' ')} --format html > drift.html`}</Command>
                  </div>
                </>
              )}
            </Fetched>
          )}
        </>
      }
      detail={
        chosen &&
        report.value && (
          <CauseDetail
            key={chosen.fingerprint}
            cause={chosen}
            report={report.value}
            a={a}
            b={b}
          />
        )
      }
      hint={`Choose a ${isMatrix ? 'cell to see its causes' : 'cause to see its findings'}.`}
    />
  )
}

const scopesOf = ({ findings }: Cause, report: DriftReport): readonly string[] => [
  ...new Set(
    report.findings.flatMap(({ fingerprint, scope }) =>
      findings.includes(fingerprint) ? [scope] : []
    )
  )
]

const Summary = ({ report }: { readonly report: DriftReport }): JSX.Element => (
  <div class="filters">
    <span role="status" class="counts">
      {Object.entries(report.counts).map(([group, count]) => (
        <Badge key={group} of={`${count} ${group}`} tone={group} />
      ))}
    </span>
    <span class="quiet">
      MediaWiki {report.a.engine} → {report.b.engine}; compared{' '}
      {plural(report.compared.requests, 'request')} and{' '}
      {plural(report.compared.listings, 'whole listing')};{' '}
      {plural(suppressedCount(report), 'difference')} suppressed as noise
    </span>
    {report.remarks.map(({ text }) => (
      <p key={text} class="quiet">
        <Text>{text}</Text>
      </p>
    ))}
  </div>
)
