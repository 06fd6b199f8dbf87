/** Rules of our own for what differs without meaning, and the class of a single value. */
import { type JsonTree, textOf } from '../../recorder/json/json-tree.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { type Change, fieldOf } from '../changes/change.ts'
import { hasTrait } from '../changes/kinds.ts'
import { typeOf } from '../members/sample-shape.ts'
import { lexicalClassOf } from '../trees/value-classes.ts'

interface BuiltInNoiseRule {
  readonly name: string
  matches(change: Change, place: string): boolean
}

const clockFields = wordSet(
  'curtimestamp servedby requestid servertime starttimestamp host hostname',
)
const hostSettings =
  /^(?:query\.general|siteinfo)\.(?:dbname|wikiid|server|servername|base|logo|favicon|dbtype|dbversion|phpversion|phpsapi)$|cookieprefix$/

const valueRule = (
  name: string,
  matches: BuiltInNoiseRule['matches'],
): BuiltInNoiseRule => ({
  name,
  matches: (change, place) => hasTrait(change.kind, 'value') && matches(change, place),
})

const rules: readonly BuiltInNoiseRule[] = [
  { name: 'parser reports and comments', matches: ({ kind }) => kind === 'html.comment' },
  {
    name: 'limit report data',
    matches: (_, place) => /(?:^|\.)limitreport(?:data|html)\b/.test(place),
  },
  valueRule('clock and server', ({ path }) => clockFields.has(fieldOf(path))),
  valueRule('page touched', ({ path }) => fieldOf(path) === 'touched'),
  { name: 'clock of siteinfo', matches: (_, place) => place === 'query.general.time' },
  valueRule('captcha', (_, place) => /^query\.authmanagerinfo\b.*captcha/i.test(place)),
  valueRule('token', (change) => bothAre(change, 'token')),
  {
    name: 'address of the caller',
    matches: (change, place) =>
      /(?:^|\.)(?:userinfo\.name|clientip)$/.test(place) && bothAre(change, 'IP address'),
  },
  {
    name: 'random list',
    matches: ({ kind, scope, axis }, place) =>
      /=(?:.*\|)?random\b/.test(scope) &&
      (axis === 'data' || kind === 'order.changed' || place.startsWith('continue')),
  },
  valueRule('name of the database, host or address of the wiki', (_, place) =>
    hostSettings.test(place),
  ),
]

/** Name of the built-in rule that explains a change; no profile has to list what it covers. */
export const builtInRule = (change: Change, place: string): string | undefined =>
  rules.find((rule) => rule.matches(change, place))?.name

const bothAre = ({ before, after }: Change, lexicalClass: string): boolean =>
  [before, after].every((value) => lexicalClassOf(textOf(value) ?? '') === lexicalClass)

/** The class of a single value; `container` for what must never be learned. */
export function valueClassOf(tree: JsonTree | undefined): string {
  if (tree?.kind === 'string') return lexicalClassOf(tree.value)
  return tree?.kind === 'literal' ? typeOf(tree) : 'container'
}
