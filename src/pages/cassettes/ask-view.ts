/** One request asked as replay would answer it. */

import { apiPathOf } from '../../recorder/cassette/format/manifest.ts'
import { Engine } from '../../recorder/engine/engine.ts'
import { defaultMissStatus } from '../../recorder/engine/engine-options.ts'
import { displayText } from '../../recorder/engine/miss/describe-request.ts'
import type { RequestExplanation } from '../../recorder/engine/miss/explain-request.ts'
import {
  explainRequest,
  stepText,
  synthesisTexts,
  targetOf
} from '../../recorder/engine/miss/explain-request.ts'
import { SessionRegistry } from '../../recorder/engine/session/session-registry.ts'
import { headerText, type IncomingRequest } from '../../recorder/http/incoming-request.ts'
import { writeSetOfInteraction } from '../../recorder/playback/session/session.ts'
import type { Identity } from '../../recorder/request/api-request.ts'
import { parseRequestKey } from '../../recorder/request/request-key.ts'
import { epochParam } from '../../recorder/request/scoped-keys.ts'
import { CassetteStore } from '../../recorder/store/cassette-store.ts'
import type { AskView } from '../run-views.ts'
import { missView } from '../runs/miss-view.ts'

interface AskOptions {
  readonly dir: string
  /** Undefined if nothing has been recorded. */
  readonly store: CassetteStore | undefined
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

/** Works on an engine of its own, so that nothing is counted, marked as used or kept. */
export async function askView({
  dir,
  address,
  form,
  like,
  ...options
}: AskOptions): Promise<AskView> {
  const { store = CassetteStore.open(dir) } = options
  const sessions = new SessionRegistry(() => store.manifest.sessionCookies ?? [])
  const type =
    form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const cookie = 'ask_session=1'
  const user = beginSession(sessions, store, like)
  if (user !== 'anonymous') sessions.identities.set({ cookie }, user)
  const incoming: IncomingRequest = {
    method: form === undefined ? 'GET' : 'POST',
    target: targetOf(address, apiPathOf(store.manifest.upstream) ?? '/w/api.php'),
    headers: user === 'anonymous' ? type : { ...type, cookie },
    body: Buffer.from(form ?? ''),
    session: sessionName,
    signal: undefined
  }
  const engine = readingEngine(store, sessions)
  return viewOf(await explainRequest(engine, incoming, user), store)
}

/** Answers as replay does. */
const readingEngine = (store: CassetteStore, sessions: SessionRegistry) =>
  new Engine({
    store,
    sessions,
    mode: 'none',
    live: undefined,
    secrets: undefined,
    onEvent: () => undefined,
    onEntry: () => undefined,
    now: Date.now,
    missStatus: defaultMissStatus,
    onMiss: 'synthesize',
    recordErrors: false,
    refuseWrites: false,
    readOnly: true
  })

function viewOf({ derivation, reply, miss }: RequestExplanation, store: CassetteStore) {
  const {
    cassetteStatus: outcome,
    key = derivation.key,
    from = [],
    by,
    body,
    answer = '',
    status,
    headers
  } = reply
  const isMedia = /^(?:image|audio|video)\//.test(
    headerText(Object.fromEntries(headers), 'content-type') ?? ''
  )
  return {
    key,
    outcome,
    status,
    from,
    answer,
    bytes: body.length,
    text: isMedia ? '' : body.toString('utf8', 0, maxText),
    recordedKey: outcome === 'replayed' ? key : '',
    steps: derivation.steps.map((step) => ({
      name: displayText(step.name, 200),
      text: displayText(stepText(step), 1_000),
      counts: step.became !== undefined
    })),
    undescribed: derivation.undescribed.map((one) => displayText(one)),
    by: by === undefined ? '' : synthesisTexts[by],
    ...(miss && { miss: missView(miss, '', store) }),
    headers
  }
}

/** Puts the session into the epoch of a recording. @returns its caller */
function beginSession(
  sessions: SessionRegistry,
  store: CassetteStore,
  like: string | undefined
) {
  const known = parseRequestKey(like ?? '')
  const request = known && store.get(known).interaction?.request
  if (!request) return 'anonymous'
  const session = sessions.sessionOf({ session: sessionName, headers: {} })
  for (const name of (request.get(epochParam) ?? '').split(' ')) {
    const key = parseRequestKey(name)
    const write = key && store.get(key).interaction
    const writeSet = write && writeSetOfInteraction(write, store.manifest.site)
    if (key && writeSet) session.addWrite({ key, writeSet })
  }
  return (request.get('as user') ?? 'anonymous') as Identity
}
