/** What a project may ignore: `ignore` in wikitape.config.json, judged by the descriptions of MediaWiki 1.43 that wikitape has. */
import { isIgnoredParam } from '../cassette/format/manifest.ts'
import { knownModuleNames } from '../knowledge/known-modules.ts'
import { type IgnoredParam, mayBeIgnored } from '../request/ignored-params.ts'
import { didYouMean } from '../text/words.ts'
import { paramOf } from '../wiki/modules/active-modules.ts'
import { bundledLookup } from '../wiki/modules/module-descriptions.ts'

const lookup = bundledLookup('MediaWiki 1.43.0')
const expected = 'expected for example [{"module": "edit", "param": "summary"}]'

/** Why a value is no list of parameters to ignore; undefined where it is one. */
export function whyNotIgnored(value: unknown): string | undefined {
  if (!Array.isArray(value)) return `"ignore" is not a list; ${expected}`
  if (!value.every(isIgnoredParam))
    return `an item of "ignore" lacks one of module, param; ${expected}`
  return value.map(whyNot).find((one) => one !== undefined)
}

function whyNot({ module, param }: IgnoredParam) {
  const description = lookup(module)
  if (!description)
    return `"ignore": the module "${module}" is unknown${didYouMean(module, knownModuleNames())}; ${expected}`
  const found = paramOf({ prefix: description.prefix, description }, param)
  const names = [...description.parameters.keys()].map((one) => description.prefix + one)
  if (!found)
    return `"ignore": ${module} has no parameter "${param}"${didYouMean(param, names)}; ${expected}`
  return mayBeIgnored(description, found)
    ? undefined
    : `"ignore": ${module}.${param} chooses what is asked or done, so that the answer to another value would be a wrong one; expected a text that goes with a write, such as edit.summary; for other values that change see docs/stable-tests.md`
}
