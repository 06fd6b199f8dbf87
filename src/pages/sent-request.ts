/** Live requests as views: a row each, and one as the client sent it, without its secrets. */
import path from 'node:path'
import {
  describeRequest,
  describeUser,
  displayText
} from '../recorder/engine/miss/describe-request.ts'
import { secretsOf } from '../recorder/engine/redaction/secret-observer.ts'
import {
  errorCodeOf,
  type NumberedEntry,
  type RequestLogEntry,
  shownEntry
} from '../recorder/engine/request-log.ts'
import { headerText, splitTarget } from '../recorder/http/incoming-request.ts'
import { parseRequest } from '../recorder/http/parse-request.ts'
import { redactHeader, redactMessage } from '../recorder/privacy/redact/redact-message.ts'
import { cleanPath, cleanValue } from '../recorder/request/inner-secrets.ts'
import { isSecretPair, tokenKind } from '../recorder/request/secret-params.ts'
import type { RequestView, SentRequestView } from './run-views.ts'

export const cassetteName = (dir: string): string => path.basename(path.resolve(dir))

const hidden = '(secret)'
const credentialHeaders =
  /^(?:cookie|authorization|proxy-authorization)$|token|secret|api-?key|password/i
const maxParams = 500

/** Parameters of query string and body, without secrets. */
function readParams({ sent, secrets }: RequestLogEntry) {
  const { request } = parseRequest(sent, () => 'anonymous')
  const known = secrets ?? secretsOf(sent, request)
  const clean = (text: string) => redactMessage(text, known)
  const params = [...(request.kind === 'api' ? request.params : request.form)].map(
    ([name, value]) => {
      const shown = isSecretPair(name, value)
        ? tokenKind(value)
        : clean(cleanValue(name, value).clean)
      return [name, shown] as const
    }
  )
  const isApi = request.kind === 'api'
  const isCut =
    sent.method === 'POST' &&
    sent.body.length === 0 &&
    headerText(sent.headers, 'content-length') !== '0'
  return {
    params: new Map(params),
    files: isApi
      ? request.files.map(({ name, bytes }) => `${displayText(name, 60)}: ${bytes} bytes`)
      : [],
    unread: isCut ? 'its body is too long to be kept' : (request.unread?.why ?? ''),
    clean
  }
}

export function requestView({ id, entry }: NumberedEntry): RequestView {
  // What was sent is shown without its secrets only.
  const { target: _target, limit: _limit, maxlag: _maxlag, ...shown } = shownEntry(entry)
  const { user = 'anonymous', writes = 0, isWrite = false } = entry.caller ?? {}
  const { bytes, hasWarnings, waitedMs = 0 } = entry
  const { params } = readParams(entry)
  return {
    ...shown,
    id,
    bytes,
    hasWarnings,
    waitedMs,
    ms: Math.round(shown.ms * 10) / 10,
    cassette: displayText(cassetteName(shown.cassette)),
    module: displayText(shown.module, 100),
    words: params.has('action')
      ? describeRequest({ request: params, sentValues: new Map() })
      : displayText(shown.module, 300),
    key: shown.key ?? '',
    why: displayText(shown.why ?? ''),
    error: displayText(errorCodeOf(entry), 60),
    user: user === 'anonymous' ? '' : displayText(describeUser(user), 80),
    session: displayText(entry.sent.session, 80),
    agent: displayText(shown.agent, 200),
    writes,
    isWrite,
    retryAfter: shown.retryAfter ?? 0,
    answer: entry.reply.answer ?? '',
    test: ''
  }
}

export function sentRequestView(entry: RequestLogEntry): SentRequestView {
  const { method, target, headers } = entry.sent
  const { params, files, unread, clean } = readParams(entry)
  const shown = Object.keys(headers).map((name) => {
    const value = credentialHeaders.test(name)
      ? hidden
      : clean(redactHeader(name, headerText(headers, name) ?? ''))
    return [name, value] as const
  })
  const pairs = (headerText(headers, 'cookie') ?? '').split(';')
  const names = pairs.flatMap((one) => one.split('=', 1)[0]?.trim() || [])
  return {
    method,
    path: clean(cleanPath(splitTarget(target)[0], [])),
    params: [...params].slice(0, maxParams).map(([name, value]) => ({ name, value })),
    files,
    unread,
    headers: shown.slice(0, maxParams),
    cookies: names.slice(0, maxParams)
  }
}
