/** A cassette: its modules, and their interactions with one of them beside. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { UsedView } from '../../src/pages/run-views.ts'
import type { CassetteView as Cassette } from '../../src/pages/views.ts'
import { InteractionDetail } from '../detail/interaction-detail.tsx'
import { FieldChooser, FilterChip } from '../filter/filter-bar.tsx'
import {
  recordedFacts,
  type UsedRecordings,
  usedRecordings
} from '../filter/recorded-facts.ts'
import { sortOf } from '../filter/sort.ts'
import { SortChooser } from '../filter/sort-chooser.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { number, plural } from '../parts/format.ts'
import { SearchField } from '../parts/search-field.tsx'
import { Split } from '../parts/split.tsx'
import { Text } from '../parts/text.tsx'
import { FileSearch } from '../rows/file-search.tsx'
import {
  FilteredInteractions,
  NamedInteractions,
  needsRows
} from '../rows/interaction-list.tsx'
import { type AllRows, useAllRows } from '../store/all-rows.ts'
import { type LinkParams, linkTo } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
import { ModuleChooser } from './module-chooser.tsx'
import { Overview } from './overview.tsx'
import type { ViewProps } from './view-props.ts'

/** Interactions that are all read as soon as the view is opened. */
const maxRead = 5_000

export function CassetteView({ cassette, cassettes, params }: ViewProps): JSX.Element {
  const key = params.get('key')
  const folder = params.get('folder') ?? ''
  const q = params.get('q') ?? ''
  const from = Number(params.get('from')) || 0
  const sort = sortOf(params.get('sort'))
  const run = useStore((state) => state.run)
  const about = useFetch<Cassette>('api/cassette', { cassette })
  const views = useFetch<readonly UsedView[]>('api/used', { cassette, run })
  const used = useMemo(() => usedRecordings(views.value ?? []), [views.value])
  const count = about.value?.interactions ?? 0
  const isFiltered = needsRows(q, sort)
  const isRead = isFiltered || params.has('overview') || count <= maxRead
  const all = useAllRows(cassette, count > 0 && isRead)
  const list = { cassette, folder, q, from, current: key }
  const go = (changes: LinkParams): void => {
    const place = { cassette, folder, q, sort: params.get('sort') ?? '', key: key ?? '' }
    location.hash = linkTo('cassette', { ...place, ...changes })
  }
  return (
    <Split
      list={
        <>
          <div class="bar">
            <h1>
              <Text>{cassette}</Text>
            </h1>
            <SearchField
              label="Search requests"
              value={q}
              onSearch={(text) => go({ q: text })}
            />
          </div>
          <Fetched state={about}>
            {(one) => (
              <div class="filters">
                <ModuleChooser
                  folders={one.folders}
                  value={folder}
                  all="all modules"
                  onChange={(next) => go({ folder: next })}
                />
                <SortChooser first="by name" />
                {folder !== '' && (
                  <a href={linkTo('coverage', { cassette, folder })}>its listings</a>
                )}
                <span class="quiet">
                  <Text>{summaryOf(one)}</Text>
                </span>
                <RecordedChips
                  all={all}
                  used={used}
                  filter={q}
                  onFilter={(next) => go({ q: next })}
                />
              </div>
            )}
          </Fetched>
          {isFiltered ? (
            <FilteredInteractions {...list} all={all} used={used} sort={sort} />
          ) : (
            <NamedInteractions {...list} />
          )}
          {q !== '' && <FileSearch key={`${cassette} ${folder} ${q}`} {...list} />}
        </>
      }
      detail={
        key === null ? undefined : (
          <InteractionDetail
            key={key}
            cassette={cassette}
            cassettes={cassettes}
            id={key}
          />
        )
      }
      hint={
        isRead ? (
          <Overview cassette={cassette} all={all} used={used} />
        ) : (
          <p class="hint">
            <a href={linkTo('cassette', { ...Object.fromEntries(params), overview: 1 })}>
              Read all {number(count)} for an overview
            </a>
          </p>
        )
      }
    />
  )
}

/** What recordings can be, with how many are it. */
const RecordedChips = ({
  all: { rows },
  used,
  filter,
  onFilter
}: {
  readonly all: AllRows
  readonly used: UsedRecordings
  readonly filter: string
  readonly onFilter: (filter: string) => void
}): JSX.Element => (
  <>
    {['write', 'warning', 'error', ...(used.size === 0 ? [] : ['unused'])]
      .map((mark) => ({
        mark,
        count: rows.filter((row) => recordedFacts(row, used).marks.has(mark)).length
      }))
      .filter(({ count }) => count > 0)
      .map(({ mark, count }) => (
        <FilterChip
          key={mark}
          term={mark}
          count={count}
          filter={filter}
          onFilter={onFilter}
        />
      ))}
    <FieldChooser
      field="test"
      label="Test"
      values={[...used.values()].flatMap((tests) => [...tests])}
      filter={filter}
      onFilter={onFilter}
    />
  </>
)

const summaryOf = ({ upstream, engine, recorded, interactions }: Cassette): string =>
  [
    plural(interactions, 'interaction'),
    engine === '' ? '' : `MediaWiki ${engine}`,
    upstream,
    recorded === '' ? '' : `recorded on ${recorded} or later`
  ]
    .filter((part) => part !== '')
    .join(' · ')
