/** Recordings of one walk: they differ in nothing but where they begin, in their rows, and in where they go on. */
import { HeldObject, heldTree, type Values, valuesOf } from '../json/held.ts'
import type { JsonTree } from '../json/tree.ts'
import type { RequestKey } from '../request/key.ts'
import { type Onward, onwardIn, sameElse } from '../wiki/onward.ts'
import type { Interaction } from './interaction.ts'

/** A recorded answer in the middle of a walk. */
export interface Member {
  readonly interaction: Interaction
  readonly onward: Onward
}

/** A row of a list is its item and nothing else; it knows the recording that shows it. */
export class ListRow extends HeldObject {
  readonly #shown: { readonly key: RequestKey }

  constructor(item: Values, shown: { readonly key: RequestKey }) {
    super(item)
    this.#shown = shown
  }

  get key(): RequestKey {
    return this.#shown.key
  }

  get item(): this {
    return this
  }

  get slot(): string {
    return ''
  }

  get row(): this {
    return this
  }
}

/** The way of a member from one place to the next, which it makes into words only where somebody asks. */
export class WalkStep {
  readonly at: string
  readonly to: string
  readonly #member: Member

  /** @param at and @param to the names of these places */
  constructor(member: Member, at: string, to: string) {
    this.at = at
    this.to = to
    this.#member = member
  }

  get key(): RequestKey {
    return this.#member.interaction.key
  }

  /** How many rows lie between them. */
  get count(): number {
    return this.#member.onward.rows.length
  }

  get values(): ReadonlyMap<string, JsonTree> {
    const { param, value } = this.#member.onward
    return new Map([[param, heldTree(value)]])
  }
}

/** A recording, and all that are of one walk with it; none where it is of no walk. */
export interface Family {
  readonly interaction: Interaction
  readonly members: Member[]
}

/** So many families are held against each recording: walks with other limits may lie among each other. */
const mostAtOnce = 4

/** Recordings in their order, those of one walk with the first of them. */
export function familiesOf(interactions: Iterable<Interaction>): readonly Family[] {
  const found: Family[] = []
  for (const interaction of interactions) {
    const member = memberIn(interaction)
    const family = member && familyOf(member, found)
    if (family === undefined) found.push({ interaction, members: member === undefined ? [] : [member] })
    else if (member !== undefined) family.members.push(member)
  }
  return found
}

/** Only of the most common kind: one answer in JSON with status 200 that set no cookies, in a file as wikitape wrote it. */
function memberIn(interaction: Interaction): Member | undefined {
  const { asked, judged, responses } = interaction
  const [{ body, cookies, status }, second] = responses
  const isPlain = asked.size === 0 && judged === undefined && cookies.length === 0 && second === undefined
  const answer = isPlain && status === 200 && body.kind === 'json' ? valuesOf(body.tree) : undefined
  const onward = answer && onwardIn(answer)
  return onward && { interaction, onward }
}

function familyOf(member: Member, found: readonly Family[]): Family | undefined {
  const last = Math.max(0, found.length - mostAtOnce)
  for (let at = found.length - 1; at >= last; at -= 1) {
    const [like] = found[at]?.members ?? []
    if (like !== undefined && isLike(member, like)) return found[at]
  }
  return undefined
}

function isLike({ interaction: { request }, onward }: Member, like: Member): boolean {
  const { request: other } = like.interaction
  if (request.size !== other.size || !request.has(onward.param)) return false
  for (const [name, value] of request)
    if (name === onward.param ? !other.has(name) : other.get(name) !== value) return false
  return sameElse(onward, like.onward)
}

/** Where the request of a recording began. */
export const startOf = ({ interaction, onward }: Member): string =>
  interaction.request.get(onward.param) ?? ''

/** Members of one family, each behind the one that goes on there; those alone that go in a circle, or begin twice. */
export function chainsOf(members: readonly Member[]): readonly (readonly [Member, ...Member[]])[] {
  const byStart = new Map<string, Member>()
  const apart: Member[] = []
  for (const one of members) {
    if (byStart.has(startOf(one))) apart.push(one)
    else byStart.set(startOf(one), one)
  }
  const led = new Set([...byStart.values()].map(({ onward }) => String(onward.value)))
  const chains: [Member, ...Member[]][] = []
  for (const first of [...byStart.values()].filter((one) => !led.has(startOf(one)))) {
    const chain: [Member, ...Member[]] = [first]
    byStart.delete(startOf(first))
    const follower = (one: Member): Member | undefined => byStart.get(String(one.onward.value))
    for (let next = follower(first); next !== undefined; next = follower(next)) {
      byStart.delete(startOf(next))
      chain.push(next)
    }
    chains.push(chain)
  }
  return [...chains, ...[...apart, ...byStart.values()].map((one): [Member] => [one])]
}
