/** Listings as wikis gave them: row by row, with the value that leads to each row, and in one large batch. */
import {
  type Batch,
  cursorText,
  endPosition,
  readBatch,
  startPosition
} from '../../src/recorder/paging/reading/batch.ts'
import { continueMembers } from '../../src/recorder/paging/reading/split-answer.ts'
import type { WikiFacts } from '../../src/recorder/request/derive.ts'
import type { ModuleDescription } from '../../src/recorder/wiki/modules/module-descriptions.ts'
import type { Asked, RealWiki } from '../fidelity/wiki.ts'
import { type LearnCase, whenOf } from './cases.ts'

/** One listing of one wiki. */
export interface Evidence {
  readonly version: string
  readonly kind: LearnCase['kind']
  readonly module: string
  readonly when: Readonly<Record<string, string>>
  readonly formatversion: '1' | '2'
  readonly query: string
  /** The continuation parameter, less its prefix. */
  readonly param: string
  readonly number: boolean
  /** Batches at low limits, and how many rows lie before each. */
  readonly parts: readonly Part[]
  /** The first batch at a high limit. */
  readonly whole: Batch
  /** Rows of the same list at that limit, where a generator is one: more of them than pages lead to one page. */
  readonly listed?: number | undefined
}

export interface Part {
  readonly at: number
  readonly batch: Batch
}

/** Limits at which a listing is asked from its start; and how often it is then walked on at limit 1. */
export interface Effort {
  readonly limits: readonly number[]
  readonly steps: number
}

/** Asks for one listing at low limits and at 500; undefined where it is too short to tell anything. */
export async function walkCase(
  wiki: RealWiki,
  version: string,
  one: LearnCase,
  formatversion: '1' | '2',
  effort: Effort
): Promise<Evidence | undefined> {
  const description = wiki.facts.lookup(`query+${one.module}`)
  if (description === undefined) return undefined
  const prefix = (one.kind === 'generator' ? 'g' : '') + description.prefix
  const named = Object.entries(one.own).map(
    ([name, value]) => [prefix + name, value] as const
  )
  const query = new URLSearchParams([
    ...Object.entries({ action: 'query', format: 'json', [one.kind]: one.module }),
    ...named.map(([name, value]) => [name, value]),
    ...Object.entries(one.more),
    ...(formatversion === '2' ? [['formatversion', '2']] : [])
  ] as [string, string][]).toString()
  const ask = (limit: number, more: ReadonlyMap<string, string>): Promise<Asked> => {
    const goOn = more.size === 0 ? 'continue=' : new URLSearchParams([...more]).toString()
    return wiki.ask(`${query}&${prefix}limit=${limit}&${goOn}`)
  }
  const whole = await ask(500, new Map())
  const rows = read([whole], wiki.facts)[0]?.answer.rows.length ?? 0
  if (rows < 2) return undefined
  const asked = [whole]
  for (const limit of effort.limits)
    if (limit < rows) asked.push(await ask(limit, new Map()))
  let next = asked[2] === undefined ? undefined : nextIn(asked[2])
  for (let step = 0; step < effort.steps && next !== undefined; step += 1) {
    const answer = await ask(1, next)
    asked.push(answer)
    next = nextIn(answer)
  }
  const batches = read(asked, wiki.facts)
  if (batches.length < asked.length) return undefined
  const evidence = evidenceOf(version, formatversion, query, batches)
  const isList = one.kind === 'generator' && description.group === 'list'
  return evidence && isList
    ? { ...evidence, listed: await rowsOfList(wiki, one, description) }
    : evidence
}

/** Asked as a list, with no prop that a generator could not show. */
async function rowsOfList(
  wiki: RealWiki,
  { module, own }: LearnCase,
  { prefix }: ModuleDescription
): Promise<number | undefined> {
  const sent = Object.entries(own).map(([name, value]) => [prefix + name, value] as const)
  const query = new URLSearchParams([
    ...Object.entries({ action: 'query', format: 'json', list: module }),
    ...sent.map(([name, value]) => [name, value]),
    [`${prefix}limit`, '500'],
    ['continue', '']
  ] as [string, string][])
  return read([await wiki.ask(query.toString())], wiki.facts)[0]?.answer.rows.length
}

function nextIn({ interaction }: Asked): ReadonlyMap<string, string> | undefined {
  const [{ body }] = interaction.responses
  if (body.kind !== 'json') return undefined
  const members = body.tree.kind === 'object' ? body.tree.members : []
  const block = members.find(({ key }) => key === 'continue')?.value
  if (block?.kind !== 'object') return undefined
  return new Map(block.members.map(({ key, value }) => [key, cursorText(value)]))
}

function read(asked: readonly Asked[], facts: WikiFacts): Batch[] {
  const names = new Set(
    asked.flatMap(({ body }) => continueMembers(body).map(({ key }) => key))
  )
  // Inside of a generator's batch its own values do not move.
  return asked
    .flatMap(({ interaction }) => readBatch(interaction, facts, names) ?? [])
    .filter(
      ({ answer: cut, request }) => cut.inner === undefined && request.inner.size === 0
    )
}

/** Everything that kept answers tell: each listing that was walked at limit 1 and asked at 500. */
export async function keptEvidence(
  wiki: RealWiki,
  version: string,
  queries: readonly string[]
): Promise<readonly Evidence[]> {
  const answers: Asked[] = []
  for (const query of queries) answers.push(await wiki.ask(query))
  const listings = new Map<string, Batch[]>()
  for (const batch of read(answers, wiki.facts)) {
    const name = `${batch.request.identity} ${batch.request.dialect}`
    const held = listings.get(name)
    if (held === undefined) listings.set(name, [batch])
    else held.push(batch)
  }
  return [...listings.values()].flatMap((batches) => {
    const [{ request }] = batches as [Batch]
    const format = request.formatVersion === '2' ? '2' : '1'
    return evidenceOf(version, format, request.identity, batches) ?? []
  })
}

/** Batches of one listing, each at its place; those that no chain from the start leads to are left out. */
function placed(batches: readonly Batch[]): readonly Part[] {
  const rowsBefore = new Map<string, number>([[startPosition, 0]])
  for (let again = true; again; ) {
    again = false
    for (const { startsAt: at, continuesAt: to, allowedRows: allowed } of batches) {
      const before = rowsBefore.get(at)
      if (
        before === undefined ||
        to === undefined ||
        to === endPosition ||
        rowsBefore.has(to)
      )
        continue
      rowsBefore.set(to, before + (allowed ?? 0))
      again = true
    }
  }
  return batches.flatMap((batch) => {
    const at = rowsBefore.get(batch.startsAt)
    return at === undefined ? [] : [{ at, batch }]
  })
}

function evidenceOf(
  version: string,
  formatversion: '1' | '2',
  query: string,
  batches: readonly Batch[]
): Evidence | undefined {
  const whole = batches.find(
    ({ request, startsAt: at }) => request.limit.rows === 500 && at === startPosition
  )
  const parts = placed(batches.filter((batch) => batch !== whole))
  const values = batches.flatMap(({ answer: cut }) => [...(cut.next?.values ?? [])])
  const [name, second] = new Set(values.map(([one]) => one))
  if (whole === undefined || name === undefined || second !== undefined) return undefined
  const { driver, params } = whole.request
  const own = (param: string): string | undefined => params.get(driver.prefix + param)
  const takesPages = driver.description.group === 'prop'
  return {
    version,
    formatversion,
    query,
    kind: driver.kind,
    module: driver.module,
    when: whenOf(driver.kind, driver.module, own, takesPages, params.get('titles')),
    param: name.startsWith(driver.prefix) ? name.slice(driver.prefix.length) : name,
    number: values.some(([, value]) => value.kind === 'literal'),
    parts,
    whole
  }
}
