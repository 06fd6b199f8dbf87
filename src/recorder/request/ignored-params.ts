/** Parameters whose values are left out of keys: `ignore` in wikitape.config.json, and in the cassettes that were recorded with it. */
import { type ActiveModule, paramOf } from '../wiki/modules/active-modules.ts'
import type {
  ModuleDescription,
  ParamDescription
} from '../wiki/modules/module-descriptions.ts'

export interface IgnoredParam {
  /** As in `action=paraminfo`, e.g. `edit`. */
  readonly module: string
  /** As it is sent. */
  readonly param: string
}

/** Texts that go with a write, and do not say what is written where. Source: the modules of MediaWiki 1.35 to 1.43 */
const accompanying = /^(?:comment|reason|sectiontitle|subject|summary)$|text$/

/** True of a text that a write brings along; whatever else a request has chooses what is asked or done. */
export const mayBeIgnored = (
  { writes }: ModuleDescription,
  { name, type, multi }: ParamDescription
): boolean =>
  writes && !multi && /^(?:string|text)$/.test(type) && accompanying.test(name)

/** Names of parameters of a request, by the wiki's own descriptions. */
export const ignoredIn = (
  modules: readonly ActiveModule[],
  ignored: readonly IgnoredParam[]
): ReadonlySet<string> =>
  new Set(
    ignored.flatMap(({ module, param }) => {
      const description = modules.find(({ path }) => path === module)?.description
      const found =
        description && paramOf({ prefix: description.prefix, description }, param)
      return found && mayBeIgnored(description, found) ? [param] : []
    })
  )
