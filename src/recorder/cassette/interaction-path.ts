/** Paths of the files of a cassette: readable, safe on Linux, macOS and Windows; an interaction's ends in its key. */
import { type CanonicalRequest, digest, type RequestKey } from '../request/request-key.ts'
import { utf8Text } from '../wiki/answers/wiki-answer.ts'
import { splitValues } from '../wiki/parameters/request-params.ts'

/** Keeps a name with key and ending well below 120 bytes. */
const maxReadableBytes = 80

/** Path of the file inside the cassette, `/` between folder and name. */
export function interactionPath(request: CanonicalRequest, key: RequestKey): string {
  const readable = readableName(request)
  return `${folderOf(request)}/${readable === '' ? '' : `${readable}.`}${key}.json`
}

/** The name of the file before the key. */
export const readableName = (request: CanonicalRequest): string =>
  truncateBytes(readablePart(request), maxReadableBytes)

/** True where a name of so many bytes may have been cut off; a character has four bytes at most. */
export const isNameCut = (bytes: number): boolean => bytes > maxReadableBytes - 4

/** The key at the end of a file's name; undefined for files that are no interactions. */
export const keyInFileName = (name: string): RequestKey | undefined =>
  /^[./]?[0-9a-f]{12}\.json$/.test(name.slice(-18))
    ? (name.slice(-17, -5) as RequestKey)
    : undefined

/** What the paths of an interaction's file and of its body files begin with. */
export const stemOf = (file: string): string => file.replace(/(?:\.\d+\.bin|\.json)$/, '')

const moduleParams: ReadonlySet<string> = new Set([
  'action',
  'prop',
  'list',
  'meta',
  'generator'
])

/** The folder of an interaction: `query.allpages`, `query.info+categories`, `parse`, `plain`. */
export function folderOf(request: CanonicalRequest): string {
  if (request.has('plain target')) return 'plain'
  const action = request.get('action') ?? 'help'
  const generator = request.get('generator')
  const modules = ['list', 'meta', 'prop'].flatMap((name) =>
    splitValues(request.get(name) ?? '')
  )
  const parts =
    action === 'query'
      ? [...(generator === undefined ? [] : [`g-${generator}`]), ...modules]
      : []
  const name = truncateBytes(
    [
      toSafeName(action),
      ...(parts.length === 0 ? [] : [toSafeName(parts.join('+'))])
    ].join('.'),
    maxReadableBytes
  )
  return isReservedName(name) ? `_${name}` : name
}

/** Names that Windows takes for devices, whatever ending follows. */
export const isDeviceName = (name: string): boolean =>
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i.test(name)

/** Characters that a file system forbids, or that a terminal hides. */
const forbiddenInNames = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** A safe folder name of any text, e.g. a host: no path, not hidden, nothing that Windows cuts off or takes for a device. */
export function folderNameOf(text: string): string {
  const cleaned = truncateBytes(text.normalize('NFC').replace(forbiddenInNames, '_'), 200)
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '_')
  return cleaned === '' || isDeviceName(cleaned) ? `_${cleaned}` : cleaned
}

/** The same for a host, with its port. */
export const hostFolderOf = (host: string): string =>
  folderNameOf(host.replace(/[^\p{L}\p{N}.-]+/gu, '_'))

/** A folder's name for a wiki: its host, and the path of its api.php where that is not the usual `/w/`. */
export const wikiFolderName = ({
  host,
  path
}: {
  readonly host: string
  readonly path: string
}): string =>
  hostFolderOf(`${host}${path.replace(/\/api\.php$/, '').replace(/^\/w$/, '')}`)

export const paraminfoFolder = 'paraminfo'

/** Names with another meaning. */
const isReservedName = (name: string) =>
  name === '' || name.toLowerCase() === paraminfoFolder || isDeviceName(name)

/** The path of a module's description; a name too long for any real module is cut off, with a digest. */
export function moduleDescriptionPath(module: string): string {
  const name = module.replace(/[^\p{L}\p{N}+_-]+/gu, '_')
  const short = truncateBytes(name, maxReadableBytes)
  const whole = short === name ? name : `${short}.${digest(module, 12)}`
  return `${paraminfoFolder}/${isDeviceName(whole) ? `_${whole}` : whole}.json`
}

/** The same, of which nothing is cut off. */
export const wholeName = (request: CanonicalRequest): string =>
  readablePart(request, wholePart)

function readablePart(request: CanonicalRequest, part = namePart) {
  const target = request.get('plain target')
  if (target !== undefined) {
    const name = toSafeName(target.replace(/^\//, ''))
    return isReservedName(name) ? `_${name}` : name
  }
  const query = (request.get('action') ?? '') === 'query'
  const shownParams = [...request].filter(
    ([name]) => name !== 'action' && !(query && moduleParams.has(name))
  )
  // Last come parts of the key that no client sends, e.g. `as user`.
  return shownParams
    .sort(([a], [b]) => Number(a.includes(' ')) - Number(b.includes(' ')))
    .map(([name, value]) => part(name, value))
    .join(',')
}

/** What a parameter adds to the name of a file. */
const namePart = (name: string, value: string) =>
  wholePart(name, truncateBytes(value, 40))

export const wholePart = (name: string, value: string): string =>
  `${toSafeName(name)}=${toSafeName(value)}`

/** Keeps letters and digits of any script and a few safe characters; the rest becomes `_`. */
const toSafeName = (text: string) =>
  isAscii(text)
    ? text.replace(/[^A-Za-z0-9=+\-,]+/g, '_')
    : text.normalize('NFC').replace(/[^\p{L}\p{N}=+\-,]+/gu, '_')

/** For ASCII the Unicode tables need not be loaded, which would delay the first answer of a process. */
const isAscii = (text: string) => Buffer.byteLength(text) === text.length

/** Cuts between characters. */
export const truncateBytes = (text: string, limit: number): string =>
  Buffer.byteLength(text) <= limit
    ? text
    : (utf8Text(Buffer.from(text).subarray(0, limit), 'cut') ?? '')

export function uniqueName(name: string, used: Set<string>): string {
  const fold = (one: string) => one.normalize('NFKC').toLowerCase()
  let unique = name
  for (let number = 2; used.has(fold(unique)); number += 1) unique = `${name}-${number}`
  used.add(fold(unique))
  return unique
}
