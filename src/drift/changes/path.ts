/** A path in an answer: `query.allpages[title=Волга].length`, and its template `query.allpages[*].length`. */
export interface Path {
  readonly parent: Path | undefined
  /** Name of a member, or the label of an item (`title=Волга`). */
  readonly step: string
  readonly kind: 'root' | 'member' | 'item'
  /** Whether the item is in another state on the other side; undefined where nothing shows it. */
  readonly touched?: boolean | undefined
  /** True for an item that both sides call by one title. */
  readonly sameTitle?: boolean
}

export const rootPath: Path = { parent: undefined, step: '', kind: 'root' }
export const memberPath = (parent: Path, step: string): Path => ({ parent, step, kind: 'member' })
export const itemPath = (parent: Path, step: string, touched?: boolean): Path => ({
  parent,
  step,
  kind: 'item',
  touched,
})

/** A path of member names from the root. */
export const pathOf = (...names: readonly string[]): Path => names.reduce(memberPath, rootPath)

const plainName = /^[\p{L}_*-][\p{L}\p{N}_*+: -]*$/u

/** The path as text; names that would confuse are quoted as JSON. */
export const writePath = (path: Path): string => write(path, (step) => step)

/** The path with every item replaced by `[*]`: what changes of one kind share. */
export const templateOf = (path: Path): string => write(path, () => '*')

function write(path: Path, item: (step: string) => string): string {
  if (path.parent === undefined) return ''
  const before = write(path.parent, item)
  if (path.kind === 'item') return `${before}[${item(path.step)}]`
  const name = plainName.test(path.step) ? path.step : JSON.stringify(path.step)
  return before === '' ? name : `${before}.${name}`
}

/** The path and all that it lies in, from the inside out. */
export function selfAndParents(path: Path | undefined): readonly Path[] {
  const all: Path[] = []
  for (let at = path; at !== undefined; at = at.parent) all.push(at)
  return all
}

/** The nearest member name, items skipped: what the field is called. */
export const fieldOf = (path: Path): string => nearestMember(path)?.step ?? ''

/** The same for the object that holds the field. */
export const parentFieldOf = (path: Path): string => nearestMember(nearestMember(path)?.parent)?.step ?? ''

const nearestMember = (path: Path | undefined): Path | undefined =>
  path?.kind === 'item' ? nearestMember(path.parent) : path
