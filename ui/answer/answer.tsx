/** An answer in one of the ways in which it can be read. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import { readTree } from '../../src/recorder/json/read-json.ts'
import {
  findTables,
  findTexts,
  type LongText,
  type RowTable
} from '../json/find-parts.ts'
import { prettyLines } from '../json/json-text.ts'
import type { Sources } from '../json/row-sources.ts'
import { findSources } from '../json/row-sources.ts'
import { noSearch, searchTree } from '../json/search-tree.ts'
import { number } from '../parts/format.ts'
import { replaceAddress } from '../store/navigate.ts'
import { linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { AnswerContext } from './answer-context.ts'
import { type AnswerMode, AnswerTools } from './answer-tools.tsx'
import { HtmlFrame } from './html-frame.tsx'
import { PlainText } from './plain-text.tsx'
import { RowsTable } from './rows-table.tsx'
import { Tree } from './tree.tsx'

/** Characters of markup that are shown as a page. */
const maxHtml = 2_000_000

export function Answer({
  text,
  cassette,
  upstream,
  recordings = noRecordings
}: {
  readonly text: string
  readonly cassette: string
  readonly upstream: string
  /** Answers that this one was synthesized from. */
  readonly recordings?: readonly (readonly [key: string, text: string])[]
}): JSX.Element {
  const route = useStore((state) => state.route)
  const words = route.params.get('find') ?? ''
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState('')
  const tree = useMemo(() => readTree(text), [text])
  const sources = useMemo(
    () => (tree === undefined ? new Map() : sourcesOf(tree, recordings)),
    [tree, recordings]
  )
  const search = useMemo(
    () =>
      tree === undefined
        ? { ...noSearch, words: words.toLowerCase() }
        : searchTree(tree, words),
    [tree, words]
  )
  const modes = useMemo(() => modesOf(text, tree, sources), [text, tree, sources])
  const mode = modes.find(({ name }) => name === chosen) ?? modes[0]
  const match = search.found[at % Math.max(1, search.found.length)]
  const status =
    search.words === '' || tree === undefined
      ? ''
      : `${number(search.found.length)} found${match === undefined ? '' : `, ${(at % search.found.length) + 1} shown`}`
  return (
    <AnswerContext.Provider value={{ cassette, upstream, search, match, sources }}>
      <AnswerTools
        text={text}
        modes={modes}
        mode={mode}
        onMode={setChosen}
        words={words}
        onSearch={(find) => {
          replaceAddress(linkWith(route, { find }))
          setAt(0)
        }}
        status={status}
        onNext={search.found.length > 1 ? () => setAt(at + 1) : undefined}
      />
      <div key={mode?.name}>{mode?.body()}</div>
    </AnswerContext.Provider>
  )
}

const noRecordings: readonly (readonly [string, string])[] = []

const sourcesOf = (
  tree: JsonTree,
  recordings: readonly (readonly [string, string])[]
): Sources =>
  findSources(
    tree,
    recordings.flatMap(([key, text]) => {
      const recorded = readTree(text)
      return recorded === undefined ? [] : [[key, recorded] as const]
    })
  )

function modesOf(
  text: string,
  tree: JsonTree | undefined,
  sources: Sources
): readonly AnswerMode[] {
  const raw: AnswerMode = {
    name: 'Raw',
    body: () => <PlainText text={text} label="response as sent by the wiki" />
  }
  if (tree === undefined) {
    const isHtml = /^\s*(?:<!doctype html|<html)/i.test(text)
    return isHtml
      ? [{ ...raw, name: 'Text' }, htmlMode('', text)]
      : [{ ...raw, name: 'Text' }]
  }
  const pretty: AnswerMode = {
    name: 'JSON',
    body: () => (
      <PlainText
        text={prettyLines(tree).join('\n')}
        label="the response as readable JSON"
      />
    )
  }
  return [
    { name: 'Tree', body: () => <Tree tree={tree} /> },
    ...findTables(tree)
      .slice(0, 4)
      .map((table) => tableMode(table, sources)),
    ...findTexts(tree).slice(0, 4).flatMap(textModes),
    pretty,
    raw
  ]
}

const tableMode = ({ path, place, rows }: RowTable, sources: Sources): AnswerMode => ({
  name: `Table ${path.replace(/^query\./, '')}`,
  body: () => <RowsTable rows={rows} sourceOf={(at) => sources.get(`${place}.${at}`)} />
})

const htmlMode = (path: string, html: string): AnswerMode => ({
  name: `Page ${path}`.trim(),
  body: () => <HtmlFrame html={html.slice(0, maxHtml)} />
})

function textModes({ path, text, isHtml }: LongText): readonly AnswerMode[] {
  const name = path.split('.').slice(-2).join('.')
  const lines: AnswerMode = {
    name: `Text ${name}`,
    body: () => <PlainText text={text} label={path} />
  }
  return isHtml ? [htmlMode(name, text), lines] : [lines]
}
