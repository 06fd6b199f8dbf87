/** Asks a cassette one request as replay would answer it. Works on an engine of its own, so that nothing is counted, marked as used or kept. */
import { apiPathOf } from '../../cassette/same-wiki.ts'
import { Engine } from '../../engine/engine.ts'
import { defaultMissStatus } from '../../engine/engine-options.ts'
import { displayText } from '../../engine/miss/describe-request.ts'
import { explainRequest, stepText, synthesisTexts, targetOf } from '../../engine/miss/explain-request.ts'
import { SessionRegistry } from '../../engine/session/session-registry.ts'
import { headerText, type IncomingRequest } from '../../http/incoming-request.ts'
import { writeSetOfInteraction } from '../../playback/session/session.ts'
import type { Identity } from '../../request/api-request.ts'
import { parseRequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import type { AskView } from '../run-views.ts'
import { missView } from './miss-views.ts'

interface Asked {
  readonly dir: string
  /** URL, path or query string. */
  readonly address: string
  /** Urlencoded body of a POST; undefined for a GET. */
  readonly form: string | undefined
  /** Key of a recording: asked by its caller, after its writes. */
  readonly like: string | undefined
}

/** Characters of an answer that a page gets. */
const maxText = 20_000_000
const sessionName = 'ask'

export async function askView({ dir, address, form, like }: Asked): Promise<AskView> {
  const store = CassetteStore.open(dir)
  const sessions = new SessionRegistry(() => store.manifest.sessionCookies ?? [])
  const quiet = { report: () => undefined, onEntry: () => undefined, now: Date.now }
  const engine = new Engine({
    ...{ store, sessions, mode: 'none', live: undefined, secrets: undefined, ...quiet },
    ...{ missStatus: defaultMissStatus, onMiss: 'synthesize', recordErrors: false },
    ...{ refuseWrites: false, readOnly: true },
  })
  const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const cookie = 'ask_session=1'
  const user = beginSession(sessions, store, like)
  if (user !== 'anonymous') sessions.identities.set({ cookie }, user)
  const incoming: IncomingRequest = {
    method: form === undefined ? 'GET' : 'POST',
    target: targetOf(address, apiPathOf(store.manifest.upstream) ?? '/w/api.php'),
    headers: user === 'anonymous' ? type : { ...type, cookie },
    body: Buffer.from(form ?? ''),
    session: sessionName,
    signal: undefined,
  }
  const { derivation, reply, miss } = await explainRequest(engine, incoming, user)
  const { cassetteStatus: outcome, key = derivation.key, from = [], by, status, headers, body } = reply
  const isMedia = /^(?:image|audio|video)\//.test(
    headerText(Object.fromEntries(headers), 'content-type') ?? '',
  )
  return {
    ...{ key, outcome, status, from, bytes: body.length },
    text: isMedia ? '' : body.toString('utf8', 0, maxText),
    recordedKey: outcome === 'replayed' ? key : '',
    steps: derivation.steps.map((step) => ({
      name: displayText(step.name, 200),
      text: displayText(stepText(step), 1_000),
      counts: step.became !== undefined,
    })),
    undescribed: derivation.undescribed.map((one) => displayText(one)),
    by: by === undefined ? '' : synthesisTexts[by],
    ...(miss && { miss: missView(miss, '', [store, undefined]) }),
    headers: headers.map(([name, value]) => [displayText(name), displayText(value, 2_000)] as const),
  }
}

/** Puts the session into the epoch of a recording. @returns its caller */
function beginSession(sessions: SessionRegistry, store: CassetteStore, like: string | undefined): Identity {
  const known = parseRequestKey(like ?? '')
  const found = known === undefined ? undefined : store.get(known)
  if (found?.kind !== 'found') return 'anonymous'
  const { request } = found.interaction
  const session = sessions.sessionOf({ session: sessionName, headers: {} })
  for (const name of (request.get(epochParam) ?? '').split(' ')) {
    const key = parseRequestKey(name)
    const write = key === undefined ? undefined : store.get(key)
    if (key === undefined || write?.kind !== 'found') continue
    const writeSet = writeSetOfInteraction(write.interaction, store.manifest.site)
    if (writeSet !== undefined) session.addWrite({ key, writeSet })
  }
  return (request.get('as user') ?? 'anonymous') as Identity
}
