/** Control headers (`X-Cassette…`), and the path prefix `/~CASSETTE@SESSION/` for clients that cannot set headers. */
import { isDeviceName } from '../cassette/interaction-path.ts'
import { headerText, type IncomingHeaders } from '../http/incoming-request.ts'
import { type Mode, parseMode } from '../playback/decide.ts'
import { decodePercent } from '../text/percent-decoding.ts'

export interface ControlHeaders {
  /** Name of a cassette under the root; undefined for the one named at the start. */
  readonly cassette: string | undefined
  readonly mode: Mode | undefined
  /** Empty where the client named none. */
  readonly session: string
  /** Path and query without the prefix. */
  readonly target: string
}

const maxSessionLength = 200

/** The control headers of a request, or what is wrong with them. */
export function readControls(
  target: string,
  headers: IncomingHeaders
): ControlHeaders | string {
  const prefix = readPrefix(target)
  if (prefix && prefix.cassette === undefined && prefix.session === undefined)
    return 'the path begins with /~ but names no cassette; expected /~CASSETTE/, /~CASSETTE@SESSION/ or /~@SESSION/'
  const cassette = prefix?.cassette ?? decodeUtf8Header(headerText(headers, 'x-cassette'))
  const session =
    prefix?.session ?? decodeUtf8Header(headerText(headers, 'x-cassette-session'))
  if (session !== undefined && session.length > maxSessionLength)
    return `the session name is ${session.length} characters long; at most ${maxSessionLength} are allowed`
  if (cassette !== undefined && !isCassetteName(cassette)) {
    return `the cassette name ${JSON.stringify(cassette.slice(0, 80))} is not a plain folder name`
  }
  const requestedMode = headerText(headers, 'x-cassette-mode')
  const mode = requestedMode === undefined ? undefined : parseMode(requestedMode)
  if (requestedMode !== undefined && mode === undefined) {
    return `X-Cassette-Mode is ${JSON.stringify(requestedMode.slice(0, 80))}; expected none, once, new_episodes, all, update or passthrough`
  }
  return {
    cassette,
    mode,
    session: session ?? '',
    target: prefix?.rest ?? withLeadingSlash(target)
  }
}

/** What a path such as `/~CASSETTE@SESSION/w/api.php` names, and the rest of it; undefined without such a prefix. */
function readPrefix(target: string) {
  const [prefix, names = ''] =
    (target.startsWith('/~') && /^\/~([^/?]*)(?=[/?]|$)/.exec(target)) || []
  if (prefix === undefined) return undefined
  const [cassette = '', ...session] = decodePercent(names).split('@')
  return {
    cassette: cassette === '' ? undefined : cassette,
    session: session.length === 0 ? undefined : session.join('@'),
    rest: withLeadingSlash(target.slice(prefix.length))
  }
}

const withLeadingSlash = (target: string) =>
  target.startsWith('/') ? target : `/${target}`

/** True of a folder name that stays below the root on every system: letters, digits, `.`, `_`, `-`, no dot at either end. */
export const isCassetteName = (name: string): boolean =>
  Buffer.byteLength(name) <= 200 &&
  name.length <= 80 &&
  /^[\p{L}\p{N}_-][\p{L}\p{N}._-]*$/u.test(name) &&
  !name.endsWith('.') &&
  !isDeviceName(name)

/** Node.js reads headers as latin-1; names of other scripts are sent as UTF-8. */
const decodeUtf8Header = (text: string | undefined) =>
  text === undefined ? undefined : Buffer.from(text, 'latin1').toString('utf8')
