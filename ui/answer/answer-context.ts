/** What the parts of a shown answer share. */
import { type Context, createContext } from 'preact'
import type { Sources } from '../json/row-sources.ts'
import { noSearch, type TreeSearch } from '../json/search-tree.ts'

export interface AnswerFacts {
  readonly cassette: string
  /** Address of the wiki's api.php; empty if unknown. */
  readonly upstream: string
  readonly search: TreeSearch
  /** Position of the match that is shown. */
  readonly match: string | undefined
  readonly sources: Sources
}

export const AnswerContext: Context<AnswerFacts> = createContext<AnswerFacts>({
  cassette: '',
  upstream: '',
  search: noSearch,
  match: undefined,
  sources: new Map()
})
