/** What each session did that wrote: reads, a write, the reads after it, … */
import type { JSX } from 'preact'
import type { RowView } from '../../src/pages/views.ts'
import { epochOf } from '../filter/recorded-facts.ts'
import { termFor } from '../filter/row-filter.ts'
import { plural } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { type LinkParams, linkTo } from '../store/route.ts'

/** Writes of a session that are shown. */
const maxWrites = 30

export function Stories({
  rows,
  cassette
}: {
  readonly rows: readonly RowView[]
  readonly cassette: string
}): JSX.Element | null {
  const told = new Set(
    rows.flatMap(({ wrote, statuses, folder, who }) =>
      wrote || (statuses.length > 1 && !isLogin(folder)) ? who : []
    )
  )
  if (told.size === 0) return null
  return (
    <>
      <h3>Sessions and their writes</h3>
      {[...told].map((who) => (
        <ol key={who} class="story" aria-label={who || 'anonymous'}>
          <li>
            <Text>{who || 'anonymous'}</Text>
          </li>
          {stepsOf(rows, who).map(({ words, params }, at) => (
            <li key={at}>
              <a class="chip" href={linkTo('cassette', { cassette, ...params })}>
                <Text>{words}</Text>
              </a>
            </li>
          ))}
        </ol>
      ))}
    </>
  )
}

interface Step {
  readonly words: string
  readonly params: LinkParams
}

const isLogin = (folder: string): boolean => /^(?:client)?login$/.test(folder)

/** The login, then epochs in order: what was read in each, and the write that ended it. */
function stepsOf(rows: readonly RowView[], who: string): readonly Step[] {
  const own = rows.filter((row) => row.who === who)
  const epochs = [...new Set(own.map(epochOf))].sort((a, b) => a - b)
  // `lgname=Bot@app` logs in `Bot`.
  const login = rows.find(
    ({ folder, words }) => isLogin(folder) && /name=([^@ ]*)/.exec(words)?.[1] === who
  )
  const steps = epochs.slice(0, maxWrites).flatMap((epoch) => {
    const inside = own.filter((row) => epochOf(row) === epoch)
    const plain = inside.filter((row) => !row.wrote && row.statuses.length === 1)
    const q = `${termFor('user', who || 'anonymous')} epoch:${epoch} -write`
    const others = inside.filter((row) => !plain.includes(row))
    return [
      ...(plain.length === 0
        ? []
        : [{ words: plural(plain.length, 'read'), params: { q } }]),
      ...others.map((row) => ({ words: stepOf(row), params: { key: row.key } }))
    ]
  })
  return login ? [{ words: 'login', params: { key: login.key } }, ...steps] : steps
}

/** E.g. `edit of Волга`, `revisions of Волга: 3 answers`. */
function stepOf({ words, wrote, statuses }: RowView): string {
  const [subject = ''] = words.split(' · ')
  const title = / · title=(.*?)(?: · |$)/.exec(words)?.[1]
  const what = title ? `${subject} of ${title}` : subject
  return wrote ? what : `${what}: ${statuses.length} answers`
}
