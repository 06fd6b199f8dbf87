/** What a cassette knows of its wiki: what keys are derived by. */
import type { WikiFacts } from '../request/derive.ts'
import type { Store } from '../store/store.ts'
import { bundledLookup } from '../wiki/modules/module-descriptions.ts'

/** Bundled descriptions stand in only for a wiki that refuses to describe itself. */
export const wikiFactsOf = (store: Store, trust?: WikiFacts['trust']): WikiFacts => ({
  lookup: (path) =>
    store.module(path) ??
    (store.manifest.describesItself
      ? undefined
      : bundledLookup(store.manifest.site?.generator || undefined)(path)),
  site: store.manifest.site,
  trust,
  strict: store.manifest.match === 'strict',
})
