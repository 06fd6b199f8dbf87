/**
 * Envelopes of one JSON answer: bare, the debugging page, JSONP; each in two spellings.
 * Sources: spec, "What the service does" 3; https://www.mediawiki.org/wiki/API:Data_formats
 */
import { hasMember, type JsonTree, jsonString, objectOf } from '../../json/json-tree.ts'
import { type Spelling, writeCompact, writePretty } from '../../json/write-json.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import { wordSet } from '../../text/words.ts'
import { bundledLookup } from '../modules/module-descriptions.ts'
import { isClean, type Params } from '../parameters/request-params.ts'

/**
 * What the caller asked the answer to be wrapped in. `opaque` formats (xml, php, …) are kept as text; there `format` is
 * undefined where none was named and only the wiki knows what the module answers in (docs/decisions/0145).
 */
export type Envelope =
  | ({ readonly kind: 'bare' } & JsonEnvelopeOptions)
  | ({ readonly kind: 'page' } & JsonEnvelopeOptions)
  | ({ readonly kind: 'jsonp'; readonly callback: string } & JsonEnvelopeOptions)
  | { readonly kind: 'opaque'; readonly format: string | undefined }

interface JsonEnvelopeOptions {
  readonly spelling: Spelling
  readonly requestId: string | undefined
  /** True where no format was named and the module's own is JSON: only errors may then come in another one. */
  readonly isDefault?: boolean
}

/** The parameters that choose only the envelope. */
export const envelopeParams: ReadonlySet<string> = wordSet(
  'format callback requestid utf8 ascii'
)

export function envelopeOf(params: Params): Envelope {
  const action = params.get('action') ?? 'help'
  const named = params.get('format')
  const format = named ?? defaultFormat(action)
  const isPage = format === 'jsonfm' && defaultFormat(action) !== undefined
  const opaque: Envelope = { kind: 'opaque', format: format === 'json' ? named : format }
  if ((format !== 'json' && !isPage) || params.has('wrappedhtml')) return opaque
  const requestId = params.get('requestid')
  // The wiki writes an error, as if no parameter of the format had been sent (ApiMain::handleException, 1.35 to 1.43).
  if (!hasKnownVersion(params)) {
    const isBare = named === 'json' && !params.has('callback') && requestId === undefined
    return isBare ? { kind: 'bare', spelling: 'ascii', requestId } : opaque
  }
  // The wiki changes such an id before it repeats it.
  if (requestId !== undefined && !isClean(requestId)) return opaque
  const isDefault = named === undefined && !isPage
  const common = {
    spelling: spellingOf(params),
    requestId,
    ...(isDefault ? { isDefault } : {})
  }
  if (isPage) return { kind: 'page', ...common }
  const callback = params.get('callback')
  if (callback === undefined) return { kind: 'bare', ...common }
  // MediaWiki drops every other character of the name (ApiFormatJson).
  return {
    kind: 'jsonp',
    ...common,
    callback: callback.replace(/[^\][.'"_A-Za-z0-9]/g, '')
  }
}

export const hasKnownVersion = (params: Params): boolean =>
  /^(?:1|2|latest)$/.test(params.get('formatversion') ?? '1')

/** The format of an action where the request names none: the default of its parameter, or the debugging page. */
function defaultFormat(action: string): string | undefined {
  const module = hasQuirk('shows-format', action)
    ? undefined
    : bundledLookup(undefined)(action)
  return module && (module.parameters.get('format')?.default ?? 'jsonfm')
}

/** formatversion 1 writes ASCII unless `utf8` is there; formatversion 2 UTF-8 unless `ascii` is there. */
function spellingOf(params: Params): Spelling {
  const version = params.get('formatversion') ?? '1'
  if (version === '1') return params.has('utf8') ? 'utf8' : 'ascii'
  return params.has('ascii') ? 'ascii' : 'utf8'
}

/** The JSON text inside a body that the wiki sent for a bare or JSONP request; undefined where it has another shape. */
export function unwrapEnvelope(envelope: Envelope, body: string): string | undefined {
  if (envelope.kind !== 'jsonp') return body
  const start = body.indexOf('(')
  const end = body.lastIndexOf(')')
  return body.startsWith('/**/') && start > 0 && end > start
    ? body.slice(start + 1, end)
    : undefined
}

/** The body for a caller. @param tree the recorded answer, without `requestid` */
export function wrapInEnvelope(
  envelope: Exclude<Envelope, { kind: 'opaque' }>,
  tree: JsonTree
): { readonly contentType: string; readonly text: string } {
  const whole = withRequestId(tree, envelope.requestId)
  if (envelope.kind === 'page')
    return { contentType: 'text/html; charset=UTF-8', text: debuggingPage(whole) }
  const json = writeCompact(whole, envelope.spelling)
  return envelope.kind === 'bare'
    ? { contentType: 'application/json; charset=utf-8', text: json }
    : {
        contentType: 'text/javascript; charset=utf-8',
        text: `/**/${envelope.callback}(${json})`
      }
}

/** Members that MediaWiki adds in front of all others (ApiResult::ADD_ON_TOP, ApiMain::substituteResultWithError). */
const membersOnTop = wordSet(
  'error errors warnings continue query-continue batchcomplete docref'
)

/** Adds the caller's `requestid` where MediaWiki does: behind the members on top. */
function withRequestId(tree: JsonTree, requestId: string | undefined): JsonTree {
  if (requestId === undefined || tree.kind !== 'object' || hasMember(tree, 'requestid'))
    return tree
  const at = tree.members.findIndex((member) => !membersOnTop.has(member.key))
  const own = { key: 'requestid', value: jsonString(requestId) }
  return objectOf(tree.members.toSpliced(at < 0 ? tree.members.length : at, 0, own))
}

/** A page with the pretty JSON and the four lines that the spec names, as in MediaWiki 1.25, without the wiki's skin. */
const debuggingPage = (tree: JsonTree): string =>
  `<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="UTF-8">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>MediaWiki API result</title>
</head>
<body>
<h1>MediaWiki API result</h1>
<p>This is the HTML representation of the JSON format. HTML is good for debugging, but is unsuitable for application use.</p>
<p>Specify the format parameter to change the output format. To see the non-HTML representation of the JSON format, set format=json.</p>
<p>See the complete documentation, or the API help for more information.</p>
<pre class="api-pretty-content">${escapeHtml(writePretty(tree, '    '))}</pre>
</body>
</html>
`

/** Text made safe inside an HTML element or a double-quoted attribute. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Why the format of an error is unknown: where the request names none, only the wiki knows. */
export const unknownErrorFormat = (envelope: Envelope): string | undefined =>
  envelope.kind !== 'opaque' && envelope.isDefault
    ? 'the request names no format, so that the format of an error is unknown; add format=json'
    : undefined
