/**
 * Bundled descriptions of modules, for wikis that refuse `action=paraminfo`. Each accepts parameters that it does not list,
 * since a wiki's extensions may have added them.
 */
import type { PlainObject } from '../../json/plain-json.ts'
import { knownModule } from '../../knowledge/known-modules.ts'
import { decodeModule, type ModuleDescription, type ModuleLookup } from './module-descriptions.ts'

/** The field of a description in a cassette that says who wrote it, where it was not the wiki. */
export const describedByField = 'describedby'

/** In the form of `paraminfo`, for a cassette. */
export function bundledModule(path: string, generator: string | undefined): PlainObject | undefined {
  const module = knownModule(path, generator)
  return module && { ...module, dynamicparameters: true, [describedByField]: 'wikitape' }
}

const descriptions = new Map<string, ModuleDescription | undefined>()

/** @param generator as siteinfo gives it, if known */
export const bundledLookup =
  (generator: string | undefined): ModuleLookup =>
  (path) => {
    const key = `${generator ?? ''} ${path}`
    if (!descriptions.has(key)) descriptions.set(key, decodeModule(bundledModule(path, generator)))
    return descriptions.get(key)
  }
