/** `wikitape explain`: how a request's key comes about, step by step, what replay answers, and what is recorded near it. */
import { apiPathOf } from '../../../cassette/same-wiki.ts'
import type { Engine } from '../../../engine/engine.ts'
import { adviceText, differenceText, type Miss } from '../../../engine/miss/miss-reply.ts'
import { wikiFactsOf } from '../../../engine/own-requests/module-describer.ts'
import type { IncomingRequest, Reply } from '../../../http/incoming-request.ts'
import { parseRequest } from '../../../http/parse-request.ts'
import type { SynthesisBasis } from '../../../paging/synthesise.ts'
import { type Derivation, derive } from '../../../request/derive.ts'
import type { KeyStep, KeyStepRule } from '../../../request/key-step.ts'
import { plural } from '../../../text/plural.ts'
import { type Command, type CommandContext, expectArgs, type ParsedArgs } from '../../args/command.ts'
import { cassetteFlag, jsonFlag, trustFlag } from '../../flags/cassette-flags.ts'

export const explainCommand: Command = {
  name: 'explain',
  usage: 'URL [flags]',
  summary:
    'Shows each step from a request to its key, what replay answers to it, and the nearest recordings. URL: whole, or only the query string; that of a POST with its form behind.',
  flags: [cassetteFlag, trustFlag, jsonFlag],
  examples: ["wikitape explain 'action=query&list=allpages&aplimit=10' --cassette cassettes/ru-1.43"],
  async run(args, context) {
    const [address = ''] = expectArgs(explainCommand, args, 1)
    const engine = await replayEngine(args, context)
    const exchange = requestOf(address, apiPathOf(engine.store.manifest.upstream) ?? '/w/api.php')
    const { request } = parseRequest(exchange, () => 'anonymous')
    const derivation = derive(request, wikiFactsOf(engine.store))
    const reply = await engine.handle(exchange)
    const [miss] = engine.summary.misses.values()
    if (args.isOn('json'))
      context.stdout(`${JSON.stringify(explanationJson(derivation, reply, miss), null, 2)}\n`)
    else printExplanation(derivation, reply, miss, context)
    return miss === undefined ? 0 : 1
  },
}

/** Just what `replay` runs, so that both say the same. A miss is no news here: it is what is told. */
async function replayEngine(args: ParsedArgs, context: CommandContext): Promise<Engine> {
  const { replayService: replayingService } = await import('../../serve/replay-service.ts')
  return replayingService(args, { ...context, stderr: () => undefined }).engines.get(undefined, undefined)
}

/** @param apiPath where a query string alone is asked */
function requestOf(address: string, apiPath: string): IncomingRequest {
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

const explanationJson = (
  { key, steps, undescribed }: Derivation,
  { cassetteStatus, key: answeredKey, from, by }: Reply,
  miss: Miss | undefined,
): object => ({
  key: answeredKey ?? key,
  status: cassetteStatus,
  recorded: cassetteStatus === 'replayed',
  from,
  by,
  steps,
  undescribed,
  miss,
})

const ruleTexts: Readonly<Record<KeyStepRule, string>> = {
  transport: 'transport only: not in the key',
  'write-guard': 'echo of an earlier answer: not in the key',
  default: "the module's default: counts as absent",
  unknown: 'unknown to the wiki: its name counts, its value does not',
  set: 'several values: order and doubles do not count',
  title: 'title in canonical form',
  presence: 'on by its presence',
  timestamp: 'timestamp in one spelling',
  secret: 'secret: only its kind counts',
  'as-sent': 'as sent',
}

function printExplanation(
  derivation: Derivation,
  reply: Reply,
  miss: Miss | undefined,
  context: CommandContext,
): void {
  const width = Math.max(0, ...derivation.steps.map((step) => step.name.length))
  for (const step of derivation.steps) context.stdout(`  ${step.name.padEnd(width)}  ${stepText(step)}\n`)
  if (derivation.undescribed.length > 0) {
    context.stdout(
      `not described by this cassette, so all counts as sent: ${derivation.undescribed.join(', ')}\n`,
    )
  }
  context.stdout(`key ${derivation.key} ${answerText(derivation, reply)}\n`)
  if (miss === undefined) return
  context.stdout(`${miss.reason}: ${miss.what}\n`)
  for (const near of miss.nearest) {
    context.stdout(`nearest ${near.key}\n`)
    for (const difference of near.differences) context.stdout(`  ${differenceText(difference)}\n`)
  }
  context.stdout(`${adviceText(miss)}\n`)
}

/** As `X-Cassette-Synthesized-By` says it (docs/paging.md). */
const synthesisTexts: Readonly<Record<SynthesisBasis, string>> = {
  learned: 'by what the recordings themselves show',
  known: "by what is known of the wiki's version",
  own: "going on by a value of wikitape's own",
}

function answerText({ key }: Derivation, { cassetteStatus, key: answeredKey, from = [], by }: Reply): string {
  if (cassetteStatus === 'replayed') return `is recorded${answeredKey === key ? '' : ` as ${answeredKey}`}`
  if (cassetteStatus !== 'synthesized') return 'is not recorded'
  const of = from.length === 0 ? '' : ` of ${plural(from.length, 'recording')} (${from.join(', ')})`
  return `is not recorded; replay makes the answer${of}${by === undefined ? '' : `, ${synthesisTexts[by]}`}`
}

function stepText({ sent, became, rule }: KeyStep): string {
  const shown = rule === 'secret' ? '…' : sent
  return became === undefined || became === sent
    ? `${shown}  (${ruleTexts[rule]})`
    : `${shown} → ${became === '' ? '(present)' : became}  (${ruleTexts[rule]})`
}
