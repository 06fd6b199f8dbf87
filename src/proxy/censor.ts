/** Keeps the secrets of one run off the disk: each answer is redacted, and what is about to be written is looked through. */
import { gunzipSync } from 'node:zlib'
import type { RecordedResponse } from '../cassette/interaction.ts'
import { Ledger } from '../privacy/ledger.ts'
import { redactResponse } from '../privacy/redact.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { RequestKey } from '../request/key.ts'
import { headerText, type IncomingHeaders } from './exchange.ts'
import type { Summary } from './summary.ts'

export class Censor {
  readonly #summary: Summary
  readonly #report: (line: string) => void
  readonly #ledger = new Ledger()

  constructor(summary: Summary, report: (line: string) => void) {
    this.#summary = summary
    this.#report = report
  }

  /** Learns the secrets of request and answer, so that they are known wherever else they turn up. */
  redact(request: WikiRequest, response: RecordedResponse, headers: IncomingHeaders): RecordedResponse {
    const sent = Object.keys(headers).map((name) => [name, headerText(headers, name) ?? ''] as const)
    this.#ledger.learnFromRequest(request.kind === 'api' ? request.params : request.form, sent)
    const redacted = redactResponse(response, this.#ledger.addresses())
    this.#ledger.learnFromResponse(redacted.secrets)
    return redacted.response
  }

  /** False, and told, where a secret stands in clear in what is about to be written. */
  passes(key: RequestKey, written: string | Uint8Array): boolean {
    const leaks = this.#ledger.leaks(written, ...unpacked(written))
    if (leaks.length === 0) return true
    this.#summary.leaks += 1
    const met = [...new Set(leaks.map(({ kind, source }) => `${kind} (met in ${source})`))].join(', ')
    this.#report(
      `not recorded: ${key} holds a secret in clear: ${met}; leave it out of the request, or report its place as a fault of the redaction`,
    )
    return false
  }
}

/** Bytes that are unpacked to be looked through. */
const mostUnpacked = 64 * 1024 * 1024

/** What comes out of compressed bytes: a secret may hide there. Source: RFC 1952, 2.3.1. */
function unpacked(written: string | Uint8Array): readonly Uint8Array[] {
  if (typeof written === 'string' || written[0] !== 0x1f || written[1] !== 0x8b) return []
  try {
    return [gunzipSync(written, { maxOutputLength: mostUnpacked })]
  } catch {
    return []
  }
}
