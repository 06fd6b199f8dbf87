/**
 * The few facts about modules that hold on every wiki since 1.25, for wikis that refuse `action=paraminfo`.
 * Every module here is `open`: what it does not list counts as sent.
 */
import { decodeModule, type ModuleDescription, type ModuleLookup } from './modules.ts'

const multi = (...names: readonly string[]): readonly object[] => names.map((name) => ({ name, multi: true }))

const described: readonly object[] = [
  { path: 'main', parameters: [{ name: 'action' }, { name: 'curtimestamp', type: 'boolean' }] },
  {
    path: 'json',
    parameters: [
      { name: 'formatversion', default: '1', type: ['1', '2', 'latest'] },
      { name: 'utf8', type: 'boolean' },
      { name: 'ascii', type: 'boolean' },
    ],
  },
  {
    path: 'query',
    parameters: [
      ...multi('prop', 'list', 'meta', 'titles', 'pageids', 'revids'),
      { name: 'redirects', type: 'boolean' },
      { name: 'rawcontinue', type: 'boolean' },
      { name: 'indexpageids', type: 'boolean' },
    ],
  },
  { path: 'query+allpages', prefix: 'ap', parameters: [{ name: 'limit', type: 'limit', default: 10 }] },
  { path: 'query+userinfo', prefix: 'ui', parameters: multi('prop') },
  { path: 'query+siteinfo', prefix: 'si', parameters: multi('prop') },
  { path: 'query+info', prefix: 'in', parameters: multi('prop') },
  { path: 'query+revisions', prefix: 'rv', parameters: multi('prop') },
]

const table: ReadonlyMap<string, ModuleDescription> = new Map(
  described.flatMap((one) => {
    const module = decodeModule(one)
    return module === undefined ? [] : [[module.path, { ...module, open: true }] as const]
  }),
)

/** The built-in table as a lookup. */
export const builtinLookup: ModuleLookup = (path) => table.get(path)
