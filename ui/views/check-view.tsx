/** The issues that `wikitape check` finds in a cassette. */
import type { JSX } from 'preact'
import type { CheckView as Issues } from '../../src/pages/views.ts'
import { Badge } from '../parts/badge.tsx'
import { Command } from '../parts/command.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { plural } from '../parts/format.ts'
import { Row } from '../parts/row.tsx'
import { Split } from '../parts/split.tsx'
import { Text } from '../parts/text.tsx'
import { linkTo, linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'

export function CheckView({
  cassette,
  params
}: {
  readonly cassette: string
  readonly params: URLSearchParams
}): JSX.Element {
  const issues = useFetch<Issues>('api/check', { cassette }, { isCostly: true })
  const route = useStore((state) => state.route)
  const at = Number(params.get('issue')) - 1
  const chosen = issues.value?.complaints[at]
  const key = /\.([0-9a-f]{12})\.json$|(?:^|\/)([0-9a-f]{12})\.json$/.exec(
    chosen?.file ?? ''
  )
  return (
    <Split
      list={
        <>
          <div class="bar">
            <h1>Check</h1>
          </div>
          <Fetched state={issues}>
            {({ complaints, total, command }) => (
              <>
                <div class="pad">
                  <Command>{command}</Command>
                </div>
                {total === 0 ? (
                  <p class="good" role="status">
                    No faults. All files are readable, no recording duplicates or
                    contradicts another, and no secrets were found.
                  </p>
                ) : (
                  <p class="quiet pad" role="status">
                    {plural(total, 'fault')}
                    {total > complaints.length &&
                      `; the first ${complaints.length} are shown`}
                  </p>
                )}
                <ol class="rows misses">
                  {complaints.map(({ kind, file, what }, nth) => (
                    <Row
                      key={nth}
                      isCurrent={nth === at}
                      href={linkWith({ ...route, view: 'check' }, { issue: nth + 1 })}
                    >
                      <Badge of={kind} />
                      <span class="two-lines">
                        <Text>{file}</Text>
                        <span class="why">
                          <Text>{what}</Text>
                        </span>
                      </span>
                    </Row>
                  ))}
                </ol>
              </>
            )}
          </Fetched>
        </>
      }
      detail={
        chosen && (
          <div class="panel">
            <h2>
              <Text>{chosen.file}</Text>
            </h2>
            <p>
              <Badge of={chosen.kind} /> <Text>{chosen.what}</Text>
            </p>
            {key !== null && (
              <p class="links">
                <a href={linkTo('cassette', { cassette, key: key[1] ?? key[2] })}>
                  Open the recording
                </a>
              </p>
            )}
          </div>
        )
      }
      hint="Faults of the cassette, as wikitape check finds them."
    />
  )
}
