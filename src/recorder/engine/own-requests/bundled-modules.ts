/** Records the bundled descriptions that keys are derived by: a later wikitape may bundle others, and keys must not change. */
import { readTree } from '../../json/read-json.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import { derive, type WikiFacts } from '../../request/derive.ts'
import type { Store } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'
import { bundledModule } from '../../wiki/modules/module-descriptions.ts'
import { wikiFactsOf } from '../call.ts'

/** @returns how many could not be written */
export function copyBundled(store: Store, request: WikiRequest): number {
  const { describesItself, site } = store.manifest
  if (describesItself || request.kind === 'plain') return 0
  const stored: WikiFacts = {
    ...wikiFactsOf(store),
    lookup: (path) => store.module(path)
  }
  const copied = new Set<string>()
  let unwritten = 0
  for (let hasCopied = true; hasCopied; ) {
    hasCopied = false
    for (const path of derive(request, stored).undescribed) {
      const bundled = bundledModule(path, site?.generator || undefined)
      const tree = readTree(bundled && JSON.stringify(bundled))
      if (!tree || copied.has(path)) continue
      copied.add(path)
      try {
        store.putModule(path, tree)
        hasCopied = true
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        unwritten += 1
      }
    }
  }
  return unwritten
}
