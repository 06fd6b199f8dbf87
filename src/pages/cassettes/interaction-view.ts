/** One interaction as a view: its request, its responses, and the values in them, a few at a time. */
import path from 'node:path'
import {
  answerDigest,
  bodyBytes,
  type Interaction,
  type RecordedBody,
  type RecordedResponse
} from '../../recorder/cassette/interaction.ts'
import {
  describeOthersWrites,
  displayText
} from '../../recorder/engine/miss/describe-request.ts'
import { faultText } from '../../recorder/json/read-json.ts'
import type { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { commandName, shellQuote } from '../../recorder/store/command-name.ts'
import { BadRequest } from '../query-params.ts'
import type { InteractionView } from '../views.ts'
import type { CassetteSnapshot } from './cassette-catalog.ts'
import { recordingSize, rowOf } from './interaction-rows.ts'

/** Bytes of an answer that a page reads. */
const maxBodyBytes = 20_000_000
const maxParams = 500
/** Bytes of a recording that is read at all: twice what a recording may hold (docs/decisions/0036-bounds.md). */
const maxRecordingBytes = 80_000_000

/** @throws BadRequest */
function findEntry(snapshot: CassetteSnapshot, key: string) {
  const entry = snapshot.entries.find((one) => one.key === key)
  if (entry) return entry
  const what = `${snapshot.name} has no recording ${JSON.stringify(key.slice(0, 40))}`
  throw new BadRequest(404, 'no-such-interaction', what)
}

export function interactionView(
  snapshot: CassetteSnapshot,
  key: string
): InteractionView {
  const { request, sentValues, responses } = openRecording(snapshot, key)
  const entry = findEntry(snapshot, key)
  return {
    ...rowOf(snapshot, entry, maxRecordingBytes),
    params: [...request].slice(0, maxParams).map(([name, value]) => {
      const sent = sentValues.get(name) ?? value
      return sent === value ? { name, value } : { name, value, sent }
    }),
    responses: responses
      .slice(0, maxParams)
      .map((one) => responseView(one, snapshot.store)),
    command: `${commandName} show ${entry.key} --cassette ${shellQuote(snapshot.dir)}`
  }
}

const responseView = (response: RecordedResponse, store: CassetteStore | undefined) => {
  const { status, headers, cookies, body } = response
  return {
    status,
    after: store ? displayText(describeOthersWrites(response, store)) : '',
    headers: [...headers].slice(0, maxParams),
    cookies: cookies
      .slice(0, maxParams)
      .map(({ name, value, attributes }) =>
        [`${name}=${value}`, ...attributes].join('; ')
      ),
    body: body.kind,
    size: bodyBytes(body).length,
    digest: answerDigest(body)
  }
}

/** The answer as the wiki sent it. @throws BadRequest */
export function answerBytes(body: RecordedBody, key: string): Uint8Array {
  const bytes = bodyBytes(body)
  if (bytes.length <= maxBodyBytes) return bytes
  throw tooLarge('the answer', bytes.length, key)
}

const tooLarge = (what: string, bytes: number, key: string) =>
  new BadRequest(
    413,
    'too-large',
    `${what} has ${bytes} bytes; read it with ${commandName} show ${key}`
  )

/** @throws BadRequest if there is none, or its file is too large, gone or broken */
export function openRecording(snapshot: CassetteSnapshot, wanted: string): Interaction {
  const { key, file } = findEntry(snapshot, wanted)
  const bytes = recordingSize(path.join(snapshot.dir, file))
  if (bytes > maxRecordingBytes) throw tooLarge(file, bytes, key)
  const found = snapshot.store?.get(key, maxRecordingBytes)
  if (found?.kind === 'broken')
    throw new BadRequest(404, 'unreadable', faultText(found.path, found.fault))
  if (found?.kind !== 'found')
    throw new BadRequest(404, 'gone', `the file ${file} was deleted`)
  return found.interaction
}
