/** `wikitape explain`: how a request's key comes about, step by step, and what is recorded near it. */
import { findMatch } from '../../playback/match.ts'
import { factsOf } from '../../proxy/describe.ts'
import { tellDifference } from '../../proxy/miss.ts'
import { explainMiss } from '../../proxy/miss-report.ts'
import { understand } from '../../proxy/wiki-request.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import { type Derivation, derive, type Step, type StepRule } from '../../request/derive.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../flags.ts'
import { expectArgs, type Shell, type Verb } from '../verb.ts'

export const explain: Verb = {
  name: 'explain',
  args: 'URL [flags]',
  summary:
    'Shows each step from a request to its key, whether it is recorded, and the nearest recordings. URL: whole, or only the query string.',
  flags: [cassetteFlag, jsonFlag],
  examples: ["wikitape explain 'action=query&list=allpages&aplimit=10' --cassette cassettes/ru-1.43"],
  async run(given, shell) {
    const [address = ''] = expectArgs(explain, given, 1)
    const store = CassetteStore.open(existingCassette(given, shell))
    const request = await requestOf(address)
    const derivation = derive(request, factsOf(store))
    const match = findMatch(
      request,
      derivation,
      (key, canonical) => {
        const found = store.refind(key, canonical)
        return found.kind === 'found' ? found.interaction : undefined
      },
      store.manifest.site,
    )
    const recorded = match.kind === 'recorded'
    const known =
      match.kind === 'other-order' ? { why: `It was recorded in another order, and ${match.why}.` } : {}
    const miss = recorded ? undefined : explainMiss(request, derivation, store, known)
    if (given.on('json')) {
      const { steps, undescribed } = derivation
      shell.out(
        `${JSON.stringify({ key: recorded ? match.key : derivation.key, recorded, steps, undescribed, miss }, null, 2)}\n`,
      )
    } else {
      tell(derivation, recorded ? match.key : undefined, miss, shell)
    }
    return recorded ? 0 : 1
  },
}

async function requestOf(address: string): Promise<WikiRequest> {
  const cut = address.indexOf('?')
  const isQuery = cut < 0 && !address.includes('/api.php') && !/^https?:/.test(address)
  const target = isQuery
    ? `/api.php?${address}`
    : address.replace(/^https?:\/\/[^/?#]*/, '').replace(/^\/~[^/]*/, '')
  const encoded = Buffer.from(target, 'utf8').toString('latin1')
  const exchange = {
    method: 'GET',
    target: encoded,
    headers: {},
    body: new Uint8Array(),
    session: '',
    signal: undefined,
  } as const
  const { request } = understand(exchange, () => 'anonymous')
  return request
}

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

function tell(
  derivation: Derivation,
  key: string | undefined,
  miss: ReturnType<typeof explainMiss> | undefined,
  shell: Shell,
): void {
  const width = Math.max(0, ...derivation.steps.map((step) => step.name.length))
  for (const step of derivation.steps) shell.out(`  ${step.name.padEnd(width)}  ${tellStep(step)}\n`)
  if (derivation.undescribed.length > 0) {
    shell.out(`not described by this cassette, so all counts as sent: ${derivation.undescribed.join(', ')}\n`)
  }
  shell.out(
    `key ${derivation.key}${key === undefined ? ' is not recorded' : ` is recorded${key === derivation.key ? '' : ` as ${key}`}`}\n`,
  )
  if (miss === undefined) return
  shell.out(`${miss.reason}: ${miss.what}\n`)
  for (const near of miss.nearest) {
    shell.out(`nearest ${near.key}\n`)
    for (const difference of near.differences) shell.out(`  ${tellDifference(difference)}\n`)
  }
  shell.out(`record it: ${miss.command}\n`)
}

function tellStep({ sent, became, rule }: Step): string {
  const shown = rule === 'secret' ? '…' : sent
  return became === undefined || became === sent
    ? `${shown}  (${ruleWords[rule]})`
    : `${shown} → ${became === '' ? '(present)' : became}  (${ruleWords[rule]})`
}
