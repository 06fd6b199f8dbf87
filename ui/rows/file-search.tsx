/** Searches whole files on demand, in small steps: there may be 100,000. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SearchInFilesView } from '../../src/pages/views.ts'
import { parseFilter } from '../filter/row-filter.ts'
import { number, plural } from '../parts/format.ts'
import { replaceAddress } from '../store/navigate.ts'
import { linkWith } from '../store/route.ts'
import { address, errorText, fetchJson } from '../store/server-api.ts'
import { useStore } from '../store/store.ts'
import { InteractionRow } from './interaction-row.tsx'

const maxRows = 200

export function FileSearch({
  cassette,
  folder,
  q
}: {
  readonly cassette: string
  readonly folder: string
  readonly q: string
}): JSX.Element {
  const route = useStore((state) => state.route)
  const [found, setFound] = useState<SearchInFilesView>()
  const isAsked = route.params.get('inside') !== null
  const [next, setNext] = useState<number | undefined>(isAsked ? 0 : undefined)
  const [fault, setFault] = useState('')
  const words = parseFilter(q).flatMap(({ name, value }) => (name === '' ? value : []))
  useEffect(() => {
    if (next === undefined) return
    const controller = new AbortController()
    fetchJson(
      address('api/inside', { cassette, folder, q: words.join(' '), from: next }),
      controller.signal
    ).then(
      (answer) => {
        const more = answer as SearchInFilesView
        const rows = [...(found?.rows ?? []), ...more.rows]
        setFound({ ...more, rows })
        setNext(rows.length < maxRows ? more.next : undefined)
      },
      (error: unknown) => setFault(controller.signal.aborted ? '' : errorText(error))
    )
    return () => controller.abort()
  }, [next])
  if (fault !== '') return <p class="fault">{fault}</p>
  if (found === undefined)
    return (
      <p class="pad">
        <button
          type="button"
          onClick={() => {
            replaceAddress(linkWith(route, { inside: 1 }))
            setNext(0)
          }}
          disabled={next !== undefined}
        >
          Search the contents of requests and answers too
        </button>
      </p>
    )
  return (
    <>
      <p role="status" class="quiet pad">
        {plural(found.rows.length, 'interaction')} found in the contents;{' '}
        {number(found.seen)} of {number(found.total)} searched
      </p>
      <ol class="rows interactions">
        {found.rows.map((row) => (
          <InteractionRow
            key={row.key}
            row={row}
            find={words[0] ?? ''}
            isCurrent={row.key === route.params.get('key')}
            href={linkWith(route, { key: row.key, find: words[0] })}
          />
        ))}
      </ol>
      {found.next !== undefined && next === undefined && (
        <p class="pad">
          <button type="button" onClick={() => setNext(found.next)}>
            Continue the search
          </button>
        </p>
      )}
    </>
  )
}
