/** `wikitape explain`: how a request's key comes about, step by step, what replay answers, and what is recorded near it. */
import { apiPathOf } from '../../../cassette/same-wiki.ts'
import type { Engine } from '../../../engine/engine.ts'
import { adviceText, type Miss, tellDifference } from '../../../engine/miss/miss-reply.ts'
import { factsOf } from '../../../engine/own-requests/module-describer.ts'
import type { Exchange, Reply } from '../../../http/incoming-request.ts'
import { understand } from '../../../http/parse-request.ts'
import type { SynthesisBy } from '../../../paging/synthesise.ts'
import { type Derivation, derive, type Step, type StepRule } from '../../../request/derive.ts'
import { plural } from '../../../text/plural.ts'
import { expectArgs, type Given, type Shell, type Verb } from '../../args/command.ts'
import { cassetteFlag, jsonFlag, trustFlag } from '../../flags/cassette-flags.ts'

export const explain: Verb = {
  name: 'explain',
  args: 'URL [flags]',
  summary:
    'Shows each step from a request to its key, what replay answers to it, and the nearest recordings. URL: whole, or only the query string; that of a POST with its form behind.',
  flags: [cassetteFlag, trustFlag, jsonFlag],
  examples: ["wikitape explain 'action=query&list=allpages&aplimit=10' --cassette cassettes/ru-1.43"],
  async run(given, shell) {
    const [address = ''] = expectArgs(explain, given, 1)
    const engine = await replaying(given, shell)
    const exchange = exchangeOf(address, apiPathOf(engine.store.manifest.upstream) ?? '/w/api.php')
    const { request } = understand(exchange, () => 'anonymous')
    const derivation = derive(request, factsOf(engine.store))
    const reply = await engine.answer(exchange)
    const [miss] = engine.summary.misses.values()
    if (given.on('json')) shell.out(`${JSON.stringify(asJson(derivation, reply, miss), null, 2)}\n`)
    else tell(derivation, reply, miss, shell)
    return miss === undefined ? 0 : 1
  },
}

/** Just what `replay` runs, so that both say the same. A miss is no news here: it is what is told. */
async function replaying(given: Given, shell: Shell): Promise<Engine> {
  const { replayingService } = await import('../../serve/replay-service.ts')
  return replayingService(given, { ...shell, err: () => undefined }).rack.engine(undefined, undefined)
}

/** @param apiPath where a query string alone is asked */
function exchangeOf(address: string, apiPath: string): Exchange {
  const cut = address.indexOf('?')
  const isQuery = cut < 0 && !address.includes('/api.php') && !/^https?:/.test(address)
  const target = isQuery
    ? `${apiPath}?${address}`
    : address.replace(/^https?:\/\/[^/?#]*/, '').replace(/^\/~[^/]*/, '')
  const encoded = Buffer.from(target, 'utf8').toString('latin1')
  return {
    method: 'GET',
    target: encoded,
    headers: {},
    body: new Uint8Array(),
    session: '',
    signal: undefined,
  }
}

const asJson = (
  { key, steps, undescribed }: Derivation,
  { cassetteStatus, key: answered, from, by }: Reply,
  miss: Miss | undefined,
): object => ({
  key: answered ?? key,
  status: cassetteStatus,
  recorded: cassetteStatus === 'replayed',
  from,
  by,
  steps,
  undescribed,
  miss,
})

const ruleWords: Readonly<Record<StepRule, string>> = {
  transport: 'transport only: not in the key',
  'write-guard': 'echo of an earlier answer: not in the key',
  default: "the module's default: counts as absent",
  unknown: 'unknown to the wiki: its name counts, its value does not',
  set: 'several values: order and doubles do not count',
  title: 'title in canonical form',
  presence: 'on by its presence',
  timestamp: 'timestamp in one spelling',
  secret: 'secret: only its kind counts',
  identity: 'who asks',
  'as-sent': 'as sent',
}

function tell(derivation: Derivation, reply: Reply, miss: Miss | undefined, shell: Shell): void {
  const width = Math.max(0, ...derivation.steps.map((step) => step.name.length))
  for (const step of derivation.steps) shell.out(`  ${step.name.padEnd(width)}  ${tellStep(step)}\n`)
  if (derivation.undescribed.length > 0) {
    shell.out(`not described by this cassette, so all counts as sent: ${derivation.undescribed.join(', ')}\n`)
  }
  shell.out(`key ${derivation.key} ${tellAnswer(derivation, reply)}\n`)
  if (miss === undefined) return
  shell.out(`${miss.reason}: ${miss.what}\n`)
  for (const near of miss.nearest) {
    shell.out(`nearest ${near.key}\n`)
    for (const difference of near.differences) shell.out(`  ${tellDifference(difference)}\n`)
  }
  shell.out(`${adviceText(miss)}\n`)
}

/** As `X-Cassette-Synthesized-By` says it (docs/paging.md). */
const byWords: Readonly<Record<SynthesisBy, string>> = {
  learned: 'by what the recordings themselves show',
  known: "by what is known of the wiki's version",
  own: "going on by a value of wikitape's own",
}

function tellAnswer({ key }: Derivation, { cassetteStatus, key: answered, from = [], by }: Reply): string {
  if (cassetteStatus === 'replayed') return `is recorded${answered === key ? '' : ` as ${answered}`}`
  if (cassetteStatus !== 'synthesized') return 'is not recorded'
  const of = from.length === 0 ? '' : ` of ${plural(from.length, 'recording')} (${from.join(', ')})`
  return `is not recorded; replay makes the answer${of}${by === undefined ? '' : `, ${byWords[by]}`}`
}

function tellStep({ sent, became, rule }: Step): string {
  const shown = rule === 'secret' ? '…' : sent
  return became === undefined || became === sent
    ? `${shown}  (${ruleWords[rule]})`
    : `${shown} → ${became === '' ? '(present)' : became}  (${ruleWords[rule]})`
}
