/** A response as a tree that unfolds. Members of an opened value are loaded from the server, a few hundred at a time. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { NodeView, RowPage } from '../../src/ui/views.ts'
import { number, plural, Text } from '../parts.tsx'
import { errorText, fetchJson, type QueryParams } from '../server-api.ts'

/** Cassette, key and number of a response. */
type ResponseId = QueryParams

/** Levels that are open at first. */
const openLevels = 3
/** Members up to which a value opens by itself. */
const maxAutoOpened = 20

export const Tree = ({ answer }: { readonly answer: ResponseId }): JSX.Element => (
  <div class="tree">
    <Members answer={answer} path="" level={1} />
  </div>
)

function Members({
  answer,
  path,
  level,
}: {
  readonly answer: ResponseId
  readonly path: string
  readonly level: number
}): JSX.Element {
  const [known, setKnown] = useState<RowPage<NodeView>>({ rows: [], from: 0, total: -1 })
  const [fault, setFault] = useState('')
  const more = (from: number): void => {
    fetchJson<RowPage<NodeView>>('api/values', { ...answer, place: path, from }).then(
      ({ rows, total }) =>
        setKnown((before) => ({ rows: [...before.rows.slice(0, from), ...rows], from: 0, total })),
      (error: unknown) => setFault(errorText(error)),
    )
  }
  useEffect(() => more(0), [path])
  if (fault !== '') return <p class="fault">{fault}</p>
  if (known.total < 0) return <p class="quiet">Loading…</p>
  return (
    <ul>
      {known.rows.map((node, at) => (
        // Names may occur twice; positions do not.
        <Member
          key={at}
          answer={answer}
          node={node}
          path={path === '' ? String(at) : `${path}.${at}`}
          level={level}
        />
      ))}
      {known.rows.length < known.total && (
        <li>
          <button type="button" onClick={() => more(known.rows.length)}>
            Show more ({number(known.total - known.rows.length)} left)
          </button>
        </li>
      )}
    </ul>
  )
}

function Member({
  answer,
  node,
  path,
  level,
}: {
  readonly answer: ResponseId
  readonly node: NodeView
  readonly path: string
  readonly level: number
}): JSX.Element {
  const { name, kind, text, count = 0 } = node
  const [open, setOpen] = useState(level < openLevels && count > 0 && count <= maxAutoOpened)
  const label = (
    <span class="name">
      <Text>{name}</Text>
    </span>
  )
  if (text !== undefined)
    return (
      <li>
        {name !== '' && label}{' '}
        <span class={`value ${kind}`}>
          {kind === 'string' ? (
            <>
              “<Text>{text}</Text>”
            </>
          ) : (
            text
          )}
        </span>
      </li>
    )
  const size = kind === 'array' ? plural(count, 'item') : plural(count, 'member')
  if (count === 0)
    return (
      <li>
        {label} <span class="quiet">{kind === 'array' ? 'empty list' : 'empty object'}</span>
      </li>
    )
  return (
    <li>
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span aria-hidden="true">{open ? '▾' : '▸'} </span>
        {label} <span class="quiet">{size}</span>
      </button>
      {open && <Members answer={answer} path={path} level={level + 1} />}
    </li>
  )
}
