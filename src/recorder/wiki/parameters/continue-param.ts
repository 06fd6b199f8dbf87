/** What `continue` says of a request. Source: ApiContinuationManager::__construct, MediaWiki 1.35 to 1.43 */
import type { Params } from './request-params.ts'

export interface SentContinue {
  /** Parameters that the wiki repeats as sent. */
  readonly repeated: readonly string[]
  /** True where the generator has given its last page. */
  readonly isGeneratorDone: boolean
  /** Modules that do not run again. */
  readonly finished: readonly string[]
}

/** An empty one says what none says; undefined for another form, which the wiki refuses. */
export function readContinue(params: Params): SentContinue | undefined {
  const sent = params.get('continue') ?? ''
  const [generator = '', finished, ...more] = sent === '' ? ['', ''] : sent.split('||')
  if (finished === undefined || more.length > 0) return undefined
  const isGeneratorDone = generator === '-'
  return {
    repeated: isGeneratorDone ? [] : namesIn(generator),
    isGeneratorDone,
    finished: namesIn(finished)
  }
}

const namesIn = (text: string) => (text === '' ? [] : text.split('|'))
