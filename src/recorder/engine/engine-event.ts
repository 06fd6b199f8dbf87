/** What happens in a run that a person should hear of, and the line that tells it. */
import type { Mode } from '../playback/decide.ts'
import type { RequestKey } from '../request/request-key.ts'
import { commandName, shellQuote } from '../store/command-name.ts'
import { escapeControls } from '../text/escape-control-characters.ts'
import { type Miss, missLines } from './miss/miss-reply.ts'

export type EngineEvent =
  /** The first miss of a request. */
  | { readonly kind: 'miss'; readonly miss: Miss }
  /** An answer of the wiki that may not be recorded; the client gets it. */
  | { readonly kind: 'passed-on'; readonly what: string }
  /** A recording that could not be written; the client gets the answer. */
  | { readonly kind: 'not-written'; readonly why: string }
  | { readonly kind: 'states-not-written'; readonly why: string }
  /** A secret in a file that was written before the secret was known. */
  | { readonly kind: 'late-secret'; readonly file: string; readonly secrets: string }
  /** Two sessions without a name got different answers to one request. */
  | { readonly kind: 'conflict'; readonly key: RequestKey }
  | { readonly kind: 'broken-recording'; readonly why: string }
  /** What the client or the wiki should do otherwise. */
  | { readonly kind: 'advice'; readonly text: string }
  /** Recordings that a run of mode `update` did not use. */
  | { readonly kind: 'dropped'; readonly files: string }
  | {
      readonly kind: 'kept'
      readonly files: string
      readonly why: string
      readonly dir: string
    }
  | { readonly kind: 'mode-refused'; readonly requested: Mode; readonly mode: Mode }
  /** Of a whole run, at its end. */
  | { readonly kind: 'note'; readonly text: string }

/** An event with its line, which holds no known secret. */
export interface ReportedEvent {
  readonly kind: EngineEvent['kind']
  readonly text: string
  /** The reason alone, of events that have one. */
  readonly why: string | undefined
}

export function eventText(event: EngineEvent): string {
  switch (event.kind) {
    case 'miss':
      return missLines(event.miss).map(escapeControls).join('\n  ')
    case 'passed-on':
      return `not recorded, passed on: ${event.what}`
    case 'not-written':
      return `not recorded: ${event.why}`
    case 'states-not-written':
      return `page states not recorded: ${event.why}`
    case 'late-secret':
      return `${event.file} contains a secret in plain text that became known after it was written: ${event.secrets}; delete the file, and record it again after the login`
    case 'conflict':
      return (
        `conflict at ${event.key}: two sessions without a name got different answers to it, so replay gives them in this order and refuses any other; ` +
        'give each client a name (X-Cassette-Session, or the path /~@NAME/w/api.php), or a cassette of its own'
      )
    case 'broken-recording':
      return event.why
    case 'dropped':
      return `drops ${event.files}`
    case 'kept':
      return `keeps ${event.files}; ${event.why}; to drop them: ${commandName} prune ${shellQuote(event.dir)} --yes -- CMD`
    case 'mode-refused':
      return `X-Cassette-Mode: ${event.requested} allows more than ${event.mode}, so ${event.mode} is used; add --allow-control`
    case 'advice':
    case 'note':
      return event.text
  }
}
