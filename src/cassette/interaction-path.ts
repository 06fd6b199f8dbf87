/** Where the file of an interaction lies: readable, safe on Linux, macOS and Windows, ending in the key. */
import { type CanonicalRequest, digest, type RequestKey } from '../request/request-key.ts'
import { splitValues } from '../wiki/parameters/request-params.ts'

/** Bytes for the readable part, so that with key and ending a name stays far below 120. */
const maxReadableBytes = 80

/** Path of the file inside the cassette, `/` between folder and name. */
export function interactionPath(request: CanonicalRequest, key: RequestKey): string {
  const cached = paths.get(request)
  if (cached !== undefined && cached.key === key) return cached.path
  const path = pathOf(request, key)
  paths.set(request, { key, path })
  return path
}

/** A request is looked for before its answer is written. */
const paths = new WeakMap<CanonicalRequest, { readonly key: RequestKey; readonly path: string }>()

function pathOf(request: CanonicalRequest, key: RequestKey): string {
  const readable = truncateBytes(readablePart(request), maxReadableBytes)
  return `${folderOf(request)}/${readable === '' ? '' : `${readable}.`}${key}.json`
}

/** The key at the end of a file's name; undefined for files that are no interactions. */
export const keyInFileName = (name: string): string | undefined =>
  /^[./]?([0-9a-f]{12})\.json$/.exec(name.slice(-18))?.[1]

const moduleParams: ReadonlySet<string> = new Set(['action', 'prop', 'list', 'meta', 'generator'])

/** The folder of an interaction: `query.allpages`, `query.info+categories`, `parse`, `plain`. */
export function folderOf(request: CanonicalRequest): string {
  if (request.has('plain target')) return 'plain'
  const action = request.get('action') ?? 'help'
  const generator = request.get('generator')
  const modules = ['list', 'meta', 'prop'].flatMap((name) => splitValues(request.get(name) ?? ''))
  const parts = action === 'query' ? [...(generator === undefined ? [] : [`g-${generator}`]), ...modules] : []
  const name = truncateBytes(
    [toSafeName(action), ...(parts.length === 0 ? [] : [toSafeName(parts.join('+'))])].join('.'),
    maxReadableBytes,
  )
  return isReservedName(name) ? `_${name}` : name
}

/** Names that Windows takes for devices, whatever ending follows. */
export const isDeviceName = (name: string): boolean =>
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i.test(name)

/** What no system takes in a name, or a terminal hides. */
const forbiddenInNames = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/**
 * A folder name made of text that came from outside, e.g. a host or a file's name; the same text where it is one
 * already. It is no way to another folder, nothing that Windows takes for a device or cuts off, and not hidden.
 */
export function folderNameOf(text: string): string {
  const cleaned = truncateBytes(text.normalize('NFC').replace(forbiddenInNames, '_'), 200)
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '_')
  return cleaned === '' || isDeviceName(cleaned) ? `_${cleaned}` : cleaned
}

/** The same for a host, with its port. */
export const hostFolderOf = (host: string): string => folderNameOf(host.replace(/[^\p{L}\p{N}.-]+/gu, '_'))

/** The folder that holds what the wiki says of its modules. */
export const paraminfoFolder = 'paraminfo'

/** Names that stand for something else, or for nothing. */
const isReservedName = (name: string): boolean =>
  name === '' || name.toLowerCase() === paraminfoFolder || isDeviceName(name)

/** Where the description of a module lies inside the cassette; nobody's module has a longer name, yet anybody may ask for one. */
export function moduleDescriptionPath(module: string): string {
  const name = module.replace(/[^\p{L}\p{N}+_-]+/gu, '_')
  const short = truncateBytes(name, maxReadableBytes)
  const whole = short === name ? name : `${short}.${digest(module, 12)}`
  return `${paraminfoFolder}/${isDeviceName(whole) ? `_${whole}` : whole}.json`
}

function readablePart(request: CanonicalRequest): string {
  const target = request.get('plain target')
  if (target !== undefined) {
    const name = toSafeName(target.replace(/^\//, ''))
    return isReservedName(name) ? `_${name}` : name
  }
  const query = (request.get('action') ?? '') === 'query'
  const shownParams = [...request].filter(([name]) => name !== 'action' && !(query && moduleParams.has(name)))
  // What was sent first; who sent it and when can be read in the file.
  return [
    ...shownParams.filter(([name]) => !name.includes(' ')),
    ...shownParams.filter(([name]) => name.includes(' ')),
  ]
    .map(([name, value]) => `${toSafeName(name)}=${toSafeName(truncateBytes(value, 40))}`)
    .join(',')
}

/** Letters and digits of any script and a few signs that no file system minds; the rest becomes `_`. */
const toSafeName = (text: string): string =>
  isAscii(text)
    ? text.replace(/[^A-Za-z0-9=+\-,]+/g, '_')
    : text.normalize('NFC').replace(/[^\p{L}\p{N}=+\-,]+/gu, '_')

/** For these the scripts of all letters need not be loaded, which the first answer of a process would pay for. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length

function truncateBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text
  let cut = ''
  let bytes = 0
  for (const letter of text) {
    bytes += Buffer.byteLength(letter)
    if (bytes > limit) break
    cut += letter
  }
  return cut
}
