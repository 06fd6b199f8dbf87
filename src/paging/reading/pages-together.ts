/** Props that say something else of a page among others than of the page alone. */
import { itemsOf, type JsonTree, memberOf, numberOf, textOf } from '../../json/json-tree.ts'
import { hasQuirk, quirkNames } from '../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { Driver } from './driver.ts'

/** True for a prop that goes through the rows of one page, so that the wiki refuses several pages. */
export const isOfOnePage = (
  params: CanonicalRequest,
  { module, prefix }: Pick<Driver, 'module' | 'prefix'>,
): boolean =>
  hasQuirk('newest-of-each', module) && quirkNames('newest-of-each').some((name) => params.has(prefix + name))

/** True where these pages may have other props in one answer. @param recorded the pages of each recorded whole answer */
export function differTogether(
  params: CanonicalRequest,
  pages: readonly JsonTree[],
  recorded: () => readonly (readonly JsonTree[])[],
  lookup: ModuleLookup,
): boolean {
  return splitValues(params.get('prop') ?? '').some((module) => {
    const { prefix = '', parameters } = lookup(`query+${module}`) ?? {}
    if (pages.length > 1 && isOfOnePage(params, { module, prefix })) return true
    if (!hasQuirk('cuts-files', module)) return false
    const limit = parameters?.get('limit')
    const sent = params.get(`${prefix}limit`) ?? limit?.default
    return !showAllFiles(pages, module, sent === 'max' ? (limit?.max ?? 0) : Number(sent ?? 0), recorded)
  })
}

/** Among others a file has as many rows as the limit says. Alone it goes on, if it has more: only an answer about it alone shows that it has none. */
function showAllFiles(
  pages: readonly JsonTree[],
  module: string,
  limit: number,
  recorded: () => readonly (readonly JsonTree[])[],
): boolean {
  const files = pages.filter(isFile)
  const most = Math.max(0, ...files.map((file) => itemsOf(memberOf(file, module)).length))
  if (most > limit) return false
  const isRecordedAlone = (others: readonly JsonTree[]): boolean => {
    const [file, second] = others.filter(isFile)
    return second === undefined && file !== undefined && titleOf(file) === titleOf(files[0])
  }
  return most < limit || files.length > 1 || recorded().some(isRecordedAlone)
}

const isFile = (page: JsonTree): boolean => numberOf(memberOf(page, 'ns')) === 6
const titleOf = (page: JsonTree | undefined): string | undefined => textOf(memberOf(page, 'title'))
