/**
 * The contract part of `wikitape diff` against a comparison that shares no code with it: `npx tsx scripts/contract-truth.ts
 * A B`, two cassettes made with `capture --describe`. Each module is flattened into facts (`query+info inprop value
 * protection`), the two sets of facts are compared, and what the report tells is compared with that.
 * Prints what only one of the two has; ends with 1 where there is any.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

type Json = Readonly<Record<string, unknown>>

const [a = '', b = ''] = process.argv.slice(2)
const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))

const modulesIn = (cassette: string): ReadonlyMap<string, Json> =>
  new Map(
    readdirSync(path.join(cassette, 'paraminfo')).map((name) => {
      const module = JSON.parse(
        readFileSync(path.join(cassette, 'paraminfo', name), 'utf8')
      ) as Json
      return [String(module['path']), module]
    })
  )

const isOn = (value: unknown): boolean => value === '' || value === true
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/**
 * One line for each thing that a module promises, with what it says of it.
 * @param prefix that parameters are called by here, on both sides
 */
function factsOf(module: Json, prefix: string): Map<string, string> {
  const facts = new Map<string, string>()
  for (const flag of ['deprecated', 'mustbeposted', 'readrights', 'writerights'])
    facts.set(flag, String(isOn(module[flag])))
  facts.set('prefix', String(module['prefix'] ?? ''))
  for (const one of [
    ...listOf(module['parameters']),
    ...listOf(module['templatedparameters'])
  ]) {
    const param = one as Json
    const name = `${prefix}${String(param['name'])}`
    facts.set(`${name}`, 'there')
    for (const flag of ['deprecated', 'required', 'multi', 'sensitive'])
      facts.set(`${name} ${flag}`, String(isOn(param[flag])))
    facts.set(`${name} tokentype`, String(param['tokentype'] ?? ''))
    const type = param['type']
    facts.set(`${name} type`, Array.isArray(type) ? 'enum' : String(type ?? 'string'))
    const standard = type === 'boolean' ? '' : param['default']
    facts.set(
      `${name} default`,
      Array.isArray(standard) ? standard.join('|') : String(standard ?? '')
    )
    // `limit` is that of the caller who asked.
    if (typeof param['lowlimit'] === 'number')
      facts.set(`${name} limit`, String(param['lowlimit']))
    else if (typeof param['limit'] === 'number')
      facts.set(`${name} limit`, String(param['limit']))
    for (const limit of ['highlimit', 'max', 'highmax', 'min'])
      if (typeof param[limit] === 'number')
        facts.set(`${name} ${limit}`, String(param[limit]))
    if (isOn(param['submodules']) || typeof param['submodules'] === 'object')
      facts.set(`${name} modules`, 'named')
    for (const value of listOf(type)) {
      const isOld = listOf(param['deprecatedvalues']).includes(value)
      facts.set(`${name} value ${String(value)}`, isOld ? 'deprecated' : 'allowed')
    }
    for (const value of listOf(param['subtypes']))
      facts.set(`${name} subtype ${String(value)}`, 'allowed')
    if (Array.isArray(param['subtypes'])) facts.set(`${name} subtypes`, 'said')
  }
  return facts
}

/** What the report calls each difference: kind, module, parameter, value. */
function* differences(path: string, before: Json, after: Json): IterableIterator<string> {
  const prefix = String(before['prefix'] ?? '')
  const one = factsOf(before, prefix)
  const other = factsOf(after, prefix)
  const nameNow = (name: string): string =>
    `${String(after['prefix'] ?? '')}${name.slice(prefix.length)}`
  const say = (kind: string, name = '', value = ''): string =>
    [kind, path, kind === 'param.removed' || name === '' ? name : nameNow(name), value]
      .filter((part) => part !== '')
      .join(' ')
  const changed = (fact: string): boolean => one.get(fact) !== other.get(fact)
  if (changed('prefix')) yield say('module.prefix-changed')
  for (const [fact, on, off] of [
    ['deprecated', 'module.deprecated', 'module.undeprecated'],
    ['mustbeposted', 'module.post-required', 'module.post-dropped']
  ] as const)
    if (changed(fact)) yield say(other.get(fact) === 'true' ? on : off)
  for (const right of ['readrights', 'writerights'])
    if (changed(right))
      yield say(
        other.get(right) === 'true' ? 'module.right-needed' : 'module.right-dropped',
        '',
        right
      )
  const names = new Set(
    [...one, ...other].flatMap(([name, text]) => (text === 'there' ? [name] : []))
  )
  for (const name of names) {
    if (!other.has(name)) yield say('param.removed', name)
    else if (!one.has(name))
      yield say(
        other.get(`${name} required`) === 'true' ? 'param.required' : 'param.added',
        name
      )
    else yield* paramDifferences(name, one, other, say)
  }
}

function* paramDifferences(
  name: string,
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
  say: (kind: string, name?: string, value?: string) => string
): IterableIterator<string> {
  const at = (fact: string): readonly [string | undefined, string | undefined] => [
    one.get(`${name} ${fact}`),
    other.get(`${name} ${fact}`)
  ]
  for (const [fact, on, off] of [
    ['deprecated', 'param.deprecated', 'param.undeprecated'],
    ['required', 'param.required', 'param.optional'],
    ['multi', 'param.multi', 'param.single'],
    ['sensitive', 'param.sensitive', 'param.not-sensitive']
  ] as const) {
    const [before, after] = at(fact)
    if (before !== after) yield say(after === 'true' ? on : off, name)
  }
  const differs = (fact: string): boolean => at(fact)[0] !== at(fact)[1]
  if (differs('tokentype')) yield say('param.token-changed', name)
  if (differs('type')) yield say('param.type-changed', name)
  if (differs('default') && !differs('required')) yield say('param.default-changed', name)
  for (const limit of ['limit', 'highlimit', 'max', 'highmax']) {
    const [before, after] = at(limit)
    if (before !== undefined && after !== undefined && before !== after)
      yield say(
        Number(after) < Number(before) ? 'param.limit-lowered' : 'param.limit-raised',
        name
      )
  }
  const [least, leastNow] = at('min').map((text) =>
    text === undefined ? Number.NEGATIVE_INFINITY : Number(text)
  )
  if (least !== leastNow)
    yield say(
      (leastNow ?? 0) > (least ?? 0) ? 'param.min-raised' : 'param.min-lowered',
      name
    )
  const both = at('subtypes').every((said) => said === 'said')
  // Modules that come and go are told as modules.
  const named = at('modules').every((said) => said === 'named')
  for (const sort of ['value', 'subtype']) {
    if (sort === 'subtype' ? !both : named || differs('type')) continue
    const values = new Set(
      [...one.keys(), ...other.keys()].filter((fact) =>
        fact.startsWith(`${name} ${sort} `)
      )
    )
    for (const fact of values) {
      const value = fact.slice(`${name} ${sort} `.length)
      const before = one.get(fact)
      const after = other.get(fact)
      if (after === undefined) yield say(`param.${sort}-removed`, name, value)
      else if (before === undefined) yield say(`param.${sort}-added`, name, value)
      else if (before !== after)
        yield say(
          after === 'deprecated' ? 'param.value-deprecated' : 'param.value-undeprecated',
          name,
          value
        )
    }
  }
}

const modulesA = modulesIn(a)
const modulesB = modulesIn(b)
const truth = new Set<string>()
for (const name of new Set([...modulesA.keys(), ...modulesB.keys()])) {
  const before = modulesA.get(name)
  const after = modulesB.get(name)
  if (before && after)
    for (const line of differences(name, before, after)) truth.add(line)
  else truth.add(`${after ? 'module.added' : 'module.removed'} ${name}`)
}

interface Told {
  readonly axis: string
  readonly kind: string
  readonly scope: string
  readonly place: string
  readonly values?: readonly string[]
  readonly samples: readonly { readonly note?: string }[]
}

function report(): { readonly findings: readonly Told[] } {
  const args = ['diff', a, b, '--json', '--fail-on', 'none']
  try {
    return JSON.parse(
      execFileSync(process.execPath, [program, ...args], {
        encoding: 'utf8',
        maxBuffer: 1e9
      })
    )
  } catch (error) {
    // Cassettes without interactions are no whole comparison (exit code 2); their descriptions are compared all the same.
    return JSON.parse((error as { readonly stdout: string }).stdout)
  }
}

const told = new Set<string>()
for (const { axis, kind, scope, place, values, samples } of report().findings) {
  if (axis !== 'contract' || scope === 'siteinfo') continue
  const name = /^"?([^"[]*)/.exec(place)?.[1] ?? ''
  const named =
    values ??
    (/deprecated$/.test(kind) && kind.includes('value')
      ? samples.map(({ note = '' }) => note)
      : [''])
  for (const value of named)
    told.add([kind, scope, name, value].join(' ').replace(/ +/g, ' ').trim())
}
const missed = [...truth].filter((line) => !told.has(line))
const extra = [...told].filter((line) => !truth.has(line))
for (const line of missed) process.stdout.write(`missed ${line}\n`)
for (const line of extra) process.stdout.write(`extra  ${line}\n`)
process.stdout.write(
  `${truth.size} differences, ${truth.size - missed.length} told, ${missed.length} missed, ${extra.length} extra\n`
)
process.exitCode = missed.length + extra.length === 0 ? 0 : 1
