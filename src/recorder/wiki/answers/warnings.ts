/** The warnings of an answer of `query`, by module. Source: ApiErrorFormatter_BackCompat, MediaWiki 1.35 to 1.43; measured. */
import {
  hasMember,
  type JsonMember,
  type JsonTree,
  jsonString,
  memberOf,
  membersOf,
  objectOf,
  replaceMember,
  textOf,
  withoutMember
} from '../../json/json-tree.ts'
import { mapAll } from '../../text/group-by.ts'
import { wordSet } from '../../text/words.ts'

/** @param version of the format; undefined is the first */
const textMember = (version: string | undefined) =>
  version === undefined || version === '1' ? '*' : 'warnings'

export const warningBy = (
  tree: JsonTree,
  module: string,
  version: string | undefined
): string | undefined =>
  textOf(memberOf(memberOf(memberOf(tree, 'warnings'), module), textMember(version)))

export const warningModules = (tree: JsonTree): readonly string[] =>
  membersOf(memberOf(tree, 'warnings')).map(({ key }) => key)

export function withoutWarningBy(tree: JsonTree, module: string): JsonTree {
  const left = replaceMember(tree, 'warnings', (all) => withoutMember(all, module))
  return warningModules(left).length === 0 ? withoutMember(left, 'warnings') : left
}

/** True where `query` warns of nothing, and `main` only by a note that follows the warnings of modules. */
export const areOfModules = (tree: JsonTree, version: string | undefined): boolean =>
  !warningModules(tree).includes('query') &&
  (!warningModules(tree).includes('main') ||
    warningBy(tree, 'main', version)?.startsWith('Subscribe to ') === true)

/** What is put before all else at the end of a query, or instead of it. Source: ApiQuery::execute, ApiMain::substituteResultWithError */
const putFirst = wordSet('error batchcomplete continue query-continue query-noncontinue')

/**
 * The answer with warnings of `main` that come last, and of `query` that come first, or undefined where there is no place
 * for them. Each module's are put before what is there by then.
 */
export function withWarnings(
  tree: JsonTree,
  version: string | undefined,
  {
    main,
    query
  }: { readonly main?: string | undefined; readonly query?: string | undefined }
): JsonTree | undefined {
  const isWarned = hasMember(tree, 'warnings')
  // A list (opensearch) has none.
  if (tree.kind !== 'object') return undefined
  if (isWarned && (main !== undefined || !areOfModules(tree, version))) return undefined
  const warning = (key: string, text: string | undefined) =>
    text === undefined
      ? []
      : [
          {
            key,
            value: objectOf([{ key: textMember(version), value: jsonString(text) }])
          }
        ]
  const value = objectOf([
    ...warning('main', main),
    ...membersOf(memberOf(tree, 'warnings')),
    ...warning('query', query)
  ])
  const others = tree.members.filter(({ key }) => key !== 'warnings')
  const isBefore = ({ key }: JsonMember) => query !== undefined && putFirst.has(key)
  return objectOf([
    ...others.filter(isBefore),
    { key: 'warnings', value },
    ...others.filter((one) => !isBefore(one))
  ])
}

/** What is said of a parameter before its module reads rows; in 1.35 a limit is named without quotes. */
const ofParam =
  /^(?:The |Unrecognized ).*(?:parameter|for) "([a-z]+)"|^Because "([a-z]+)" was not specified|^([a-z]+) may not be /

/** The second is of a format whose own parameters are wrong. */
const isNote = (line: string) =>
  line.startsWith('Subscribe to ') || line.startsWith('Error printer failed. ')

/** The parameters that an answer warns of; undefined where it warns of something else, or in another format. Source: ApiBase, ParamValidator, 1.35 to 1.43 */
export function warnedParams(tree: JsonTree): readonly string[] | undefined {
  const warnings = memberOf(tree, 'warnings')
  if (warnings?.kind === 'array') return undefined
  const texts = membersOf(warnings).flatMap(({ value }) =>
    membersOf(value).map(({ value }) => textOf(value) ?? '')
  )
  return mapAll(
    texts.flatMap((text) => text.split('\n')).filter((line) => !isNote(line)),
    (line) => {
      const [, named, missing, limit] = ofParam.exec(line) ?? []
      return named ?? missing ?? limit
    }
  )
}
