/** The issues that `wikitape check` finds in a cassette. */
import type { JSX } from 'preact'
import type { CheckView } from '../../src/ui/views.ts'
import { Badge, Command, Fetched, plural, Text } from '../parts.tsx'
import { useFetch } from '../server-api.ts'

export function Check({ cassette }: { readonly cassette: string }): JSX.Element {
  const issues = useFetch<CheckView>('api/check', { cassette })
  return (
    <>
      <h1>Check</h1>
      <Fetched state={issues}>
        {({ complaints, total, command }) => (
          <>
            {total === 0 ? (
              <p class="good" role="status">
                No faults. All files are readable, no recording duplicates or contradicts another, and no
                secrets were found.
              </p>
            ) : (
              <p role="status">
                {plural(total, 'fault')}
                {total > complaints.length && `; the first ${complaints.length} are shown`}
              </p>
            )}
            <ul class="rows">
              {complaints.map(({ kind, file, what }, at) => (
                <li class="row" key={at}>
                  <Badge of={kind} />
                  <span class="what">
                    <b>
                      <Text>{file}</Text>
                    </b>{' '}
                    <Text>{what}</Text>
                  </span>
                </li>
              ))}
            </ul>
            <h2>In a terminal</h2>
            <Command>{command}</Command>
          </>
        )}
      </Fetched>
    </>
  )
}
