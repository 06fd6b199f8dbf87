/** A value of an answer as a tree that unfolds: its members, and each of these with its value or a preview. */
import type { JSX } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import { childrenOf, preview } from '../json/json-text.ts'
import { number } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { AnswerContext } from './answer-context.ts'
import { NodeValue } from './node-value.tsx'
import { SourceTag } from './source-tag.tsx'

/** Members that are shown at first, and by each click. */
const step = 200

export function Tree({
  tree,
  place = '',
  level = 0
}: {
  readonly tree: JsonTree
  readonly place?: string
  readonly level?: number
}): JSX.Element {
  const [count, setCount] = useState(step)
  const { search } = useContext(AnswerContext)
  const children = childrenOf(tree)
  const atOf = (at: number): string => (place === '' ? String(at) : `${place}.${at}`)
  // Whatever a search has found is shown, however far down.
  const isShown = (at: number): boolean =>
    at < count || search.open.has(atOf(at)) || search.found.includes(atOf(at))
  return (
    <ul class={level === 0 ? 'tree' : ''}>
      {children.flatMap(({ name, value }, at) =>
        // Names may occur twice; positions do not.
        isShown(at)
          ? [
              <TreeNode
                key={at}
                name={name}
                value={value}
                place={atOf(at)}
                level={level}
              />
            ]
          : []
      )}
      {children.length > count && (
        <li>
          <button type="button" onClick={() => setCount(count + step)}>
            Show more ({number(children.length - count)} left)
          </button>
        </li>
      )}
    </ul>
  )
}

/** Levels that are open at first, and members up to which a value opens by itself. */
const openLevels = 3
const maxAutoOpened = 60
const previewLength = 90

function TreeNode({
  name,
  value,
  place,
  level
}: {
  readonly name: string
  readonly value: JsonTree
  readonly place: string
  readonly level: number
}): JSX.Element {
  const { search, match, sources } = useContext(AnswerContext)
  const count = childrenOf(value).length
  const isList = value.kind === 'array'
  const [chosen, setChosen] = useState<boolean>()
  // Rows stay closed: their previews read better.
  const opensByItself =
    level < openLevels && count <= maxAutoOpened && !/^\d+$/.test(name)
  const open = count > 0 && (chosen ?? (opensByItself || search.open.has(place)))
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (match === place) item.current?.scrollIntoView({ block: 'center' })
  }, [match])
  const source = sources.get(place)
  const label = (
    <span class="name">
      <Text>{name}</Text>
    </span>
  )
  const state = match === place ? 'match' : search.found.includes(place) ? 'found' : ''
  if (value.kind === 'string' || value.kind === 'literal')
    return (
      <li ref={item} class={state}>
        {label} <NodeValue name={name} value={value} />
      </li>
    )
  return (
    <li ref={item} class={state}>
      <button
        type="button"
        class="fold"
        aria-expanded={open}
        disabled={count === 0}
        onClick={() => setChosen(!open)}
      >
        <span class="arrow" aria-hidden="true" />
        {label} <span class="count">{isList ? `[${count}]` : `{${count}}`}</span>{' '}
        {!open && (
          <span class="preview">
            <Text>{preview(value, previewLength)}</Text>
          </span>
        )}
      </button>
      {source !== undefined && <SourceTag of={source} />}
      {open && <Tree tree={value} place={place} level={level + 1} />}
    </li>
  )
}
