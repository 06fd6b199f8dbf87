/** Rules that recordings prove: single pages, deprecated names, warnings, logins, assert, formatversion. */
import { itemsOf, type JsonTree, memberOf, textOf } from '../json/json-tree.ts'
import { groupBy } from '../text/group-by.ts'
import { plural } from '../text/words.ts'
import { hasSucceeded } from '../wiki/effects/request-effect.ts'
import { findParamDescriptions } from '../wiki/modules/active-modules.ts'
import { splitValues } from '../wiki/parameters/request-params.ts'
import { type Observation, observe } from './rules.ts'
import type { Client, Exchange } from './traffic.ts'

export function deprecatedNames({ exchanges }: Client): readonly Observation[] {
  const uses = exchanges.flatMap((one) => deprecatedIn(one).map((name) => ({ one, name })))
  return [...groupBy(uses, (use) => use.name)].flatMap(([name, group]) => {
    const requests = group.map(({ one }) => one)
    return observe('deprecated', 'warning', requests, `${name} in ${plural(requests.length, 'request')}`)
  })
}

/** Modules, parameters and values that the wiki itself describes as deprecated. */
const deprecatedIn = ({ request, modules }: Exchange): readonly string[] => [
  ...modules.flatMap(({ path, description }) => (description?.deprecated === true ? [`module ${path}`] : [])),
  ...[...request].flatMap(([name, value]) => {
    const params = findParamDescriptions(name, modules)
    if (params.length === 0 || params.some(({ submodules }) => submodules.size > 0)) return []
    if (params.every(({ deprecated }) => deprecated)) return [`parameter ${name}`]
    const isDeprecated = (one: string): boolean => params.every((param) => param.deprecatedValues.has(one))
    return splitValues(value).flatMap((one) => (isDeprecated(one) ? [`${name}=${one}`] : []))
  }),
]

/** One for each text of a warning, whatever it quotes; those about deprecated names have a rule of their own. */
export function warningsInAnswers({ exchanges }: Client): readonly Observation[] {
  const shown = exchanges.flatMap((one) => {
    const names = deprecatedIn(one).map((name) => name.replace(/.*[ =+]/, ''))
    const texts = isMainLogin(one) ? [] : one.answers.flatMap(warningsOf)
    return texts.filter((text) => !names.some((name) => text.includes(name))).map((text) => ({ one, text }))
  })
  return [...groupBy(shown, ({ text }) => text.replace(/"[^"]*"|\d+/g, '…')).values()].flatMap((group) => {
    const requests = [...new Set(group.map(({ one }) => one))]
    const what = `${group[0].text} (${plural(requests.length, 'request')})`
    return observe('warnings', 'warning', requests, what)
  })
}

/** Of all formats of errors; without the invitation to a mailing list that follows some. */
const warningsOf = (answer: JsonTree): readonly string[] =>
  itemsOf(memberOf(answer, 'warnings')).flatMap((entry) =>
    ['*', 'warnings', 'text', 'html']
      .flatMap((name) => textOf(memberOf(entry, name))?.split('\n') ?? [])
      .filter((line) => !line.includes('mediawiki-api-announce')),
  )

/** A login with a bot password draws no warning, or has an @ in its user name. */
const isMainLogin = ({ request, answers }: Exchange): boolean =>
  request.get('action') === 'login' &&
  request.get('lgname')?.includes('@') === false &&
  answers.some(
    (one) => hasSucceeded('login', one) && warningsOf(one).some((text) => text.includes('clientlogin')),
  )

export function mainLogins({ exchanges }: Client): readonly Observation[] {
  const requests = exchanges.filter(isMainLogin)
  const names = [...new Set(requests.map(({ request }) => request.get('lgname')))].join(', ')
  return observe('main-account-login', 'warning', requests, `${names}: the password of the account itself`)
}

export const isTokenWrite = ({ effect, request }: Exchange): boolean =>
  effect === 'write' && request.has('token')

export function unassertedWrites({ exchanges }: Client): readonly Observation[] {
  const writes = exchanges.filter((one) => isTokenWrite(one) && one.request.has('as user'))
  const requests = writes.filter(({ request }) => !request.has('assert') && !request.has('assertuser'))
  const what = `${requests.length} of ${plural(writes.length, 'recorded write')}`
  return observe('no-assert', 'note', requests, what)
}

export function oldFormat({ exchanges }: Client): readonly Observation[] {
  const isJson = ({ request }: Exchange): boolean => !request.has('format') && !request.has('no format')
  const queries = exchanges.filter((one) => one.request.get('action') === 'query' && isJson(one))
  const requests = queries.filter(({ request }) => (request.get('formatversion') ?? '1') === '1')
  const what = `${requests.length} of ${plural(queries.length, 'query', 'queries')}`
  return observe('no-formatversion', 'note', requests, what)
}
