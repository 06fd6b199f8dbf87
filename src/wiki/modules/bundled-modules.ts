/**
 * Descriptions that wikitape brings along, for wikis that refuse `action=paraminfo`. Every module here is `open`: what
 * it does not list counts as sent, since a wiki's extensions may have added it.
 */

import type { PlainObject } from '../../json/plain-json.ts'
import { knownModule } from '../../knowledge/known-modules.ts'
import { decodeModule, type ModuleDescription, type ModuleLookup } from './module-descriptions.ts'

/** Names, in a cassette, who described a module that its wiki did not. */
export const describedByField = 'describedby'

/** In the words of `paraminfo`, as a cassette keeps it. */
export function bundledModule(path: string, generator: string | undefined): PlainObject | undefined {
  const module = knownModule(path, generator)
  return module && { ...module, dynamicparameters: true, [describedByField]: 'wikitape' }
}

const lookups = new Map<string, ModuleLookup>()

/** @param generator as siteinfo says it, where it is known */
export function bundledLookup(generator: string | undefined): ModuleLookup {
  const cached = lookups.get(generator ?? '')
  if (cached !== undefined) return cached
  const descriptions = new Map<string, ModuleDescription | undefined>()
  const lookup: ModuleLookup = (path) => {
    if (!descriptions.has(path)) descriptions.set(path, decodeModule(bundledModule(path, generator)))
    return descriptions.get(path)
  }
  lookups.set(generator ?? '', lookup)
  return lookup
}
