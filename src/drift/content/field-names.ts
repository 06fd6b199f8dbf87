/**
 * What fields hold, by name and place: content of the wiki rather than behaviour of its API; wikitext, a status, text for
 * people, a closed set, an order without meaning. The tables: `src/recorder/knowledge/data/answer-fields.json`.
 */
import type data from '../../recorder/knowledge/data/answer-fields.json'
import { dataFile } from '../../recorder/knowledge/data-file.ts'
import { wordSet } from '../../recorder/text/words.ts'
import {
  fieldOf,
  type Path,
  parentFieldOf,
  selfAndParents,
  templateOf
} from '../changes/change.ts'

const table = dataFile('answer-fields') as typeof data
type Table = typeof table

/** Sets of names of fields, lists and parts of `query`. */
export const fields: Readonly<Record<keyof Table['fields'], ReadonlySet<string>>> =
  mapTable(table.fields, ({ words }) => wordSet(words))

/** Patterns of places, as `templateOf` writes them; `{name}` in the data is any of a set of names. */
export const patterns: Readonly<Record<keyof Table['patterns'], RegExp>> = mapTable(
  table.patterns,
  ({ pattern }) => {
    const wordsOf = (_: string, name: string) =>
      [...fields[name as keyof typeof fields]].join('|')
    return new RegExp(pattern.replace(/\{(\w+)\}/g, wordsOf))
  }
)

function mapTable<Name extends string, Row, T>(
  rows: Readonly<Record<Name, Row>>,
  change: (row: Row) => T
) {
  const entries = Object.entries<Row>(rows).map(([name, row]) => [name, change(row)])
  return Object.fromEntries(entries)
}

export const isAt = (path: Path, pattern: keyof typeof patterns): boolean =>
  patterns[pattern].test(templateOf(path))

/** True if a changed value means that content moved, not the API. */
export function holdsContent(path: Path): boolean {
  const field = fieldOf(path)
  return (
    fields.content.has(field) ||
    patterns.contentEnding.test(field) ||
    [field, parentFieldOf(path)].some((one) => fields.dictionaries.has(one)) ||
    isEnvironment(path) ||
    isAt(path, 'entityContent')
  )
}

/** True for what the wiki's host, database and PHP are, and how far it has got. */
export const isEnvironment = (path: Path): boolean => isAt(path, 'environment')

/** True if members come and go with the wiki's settings. */
const isOfSettings = ({ kind, step, parent }: Path) =>
  // A limit has one rate for each group of users.
  kind === 'member' ? fields.dictionaries.has(step) : parent?.step === 'ratelimits'

/** True if members come and go with the wiki's content and settings. */
export const isDictionary = (path: Path): boolean =>
  isOfSettings(path) || (path.kind === 'member' && isAt(path, 'entityMaps'))

/** True for a value inside of an object of settings: another type is another setting. */
export const isInDictionary = ({ parent }: Path): boolean =>
  selfAndParents(parent).some(isOfSettings)

/** Words that clients branch on. */
export const holdsStatus = (path: Path): boolean =>
  fields.status.has(fieldOf(path)) || templateOf(path) === 'code'

/** True if the value is written for people: wordings, labels, interface messages. */
export const holdsHumanText = (path: Path): boolean =>
  (fields.text.has(fieldOf(path)) && templateOf(path) !== 'html') || isAt(path, 'text')

/** Lists of plain values that are sets out of a small closed vocabulary. */
export const isClosedSet = (path: Path): boolean => fields.closedSets.has(fieldOf(path))

/** Lists whose order has no meaning. */
export const isUnordered = (path: Path): boolean =>
  isClosedSet(path) ||
  (fields.unordered.has(fieldOf(path)) && templateOf(path) !== 'query.tags')
