/** A certificate authority of wikitape's own, and what it signs, in DER: for programs that were started to trust it (docs/decisions/0240). */
import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate
} from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { getOrAdd } from '../../text/group-by.ts'

const dayMs = 86_400_000
/** A clock may be an hour behind that of this process, e.g. in a container. */
const slackMs = 3_600_000
const maxHosts = 1000

interface TlsCredentials {
  readonly cert: string
  readonly key: string
  /** The same as OpenSSL has it: to read them takes longer than a handshake. */
  readonly context: SecureContext
}

export class CertificateAuthority {
  /** In PEM. */
  readonly certificate: string
  readonly #key: KeyObject
  readonly #name: Buffer
  readonly #until: Date
  readonly #hostKeys: KeyPair = generateKeys()
  readonly #credentials = new LRUCache<string, TlsCredentials>({ max: maxHosts })

  /** @param certificate in PEM, made by `createAuthority` */
  constructor(certificate: string, key: KeyObject) {
    const { subject, validTo } = new X509Certificate(certificate)
    this.certificate = certificate
    this.#key = key
    this.#name = commonName(subject.replace(/^CN=/, ''))
    this.#until = new Date(validTo)
  }

  /** What a TLS server shows for this host. */
  credentialsFor(host: string): TlsCredentials {
    return getOrAdd(this.#credentials, host, () => {
      // With the authority, whose key browsers may be told.
      const cert = toPem(this.#certify(host)) + this.certificate
      const key = privateKeyPem(this.#hostKeys.privateKey)
      return { cert, key, context: createSecureContext({ cert, key }) }
    })
  }

  #certify(host: string) {
    return certificateOf({
      issuer: this.#name,
      subject: commonName(host),
      until: this.#until,
      publicKey: this.#hostKeys.publicKey,
      signingKey: this.#key,
      extensions: [
        extension('2.5.29.19', sequence(), true),
        extension('2.5.29.15', der(0x03, Buffer.of(7, 0x80)), true),
        extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.17', sequence(alternativeName(host))),
        extension('2.5.29.35', sequence(der(0x80, keyIdentifier(this.#key))))
      ]
    })
  }
}

/** A new one: its certificate, and the key that must not be seen by others. */
export function createAuthority(days: number): {
  readonly certificate: string
  readonly key: KeyObject
} {
  const { publicKey, privateKey } = generateKeys()
  // Browsers and stores tell authorities by their names.
  const name = commonName(`wikitape ${randomBytes(4).toString('hex')}`)
  const certificate = certificateOf({
    issuer: name,
    subject: name,
    until: new Date(Date.now() + days * dayMs),
    publicKey,
    signingKey: privateKey,
    extensions: [
      extension('2.5.29.19', sequence(yes, integer(Buffer.of(0))), true),
      extension('2.5.29.15', der(0x03, Buffer.of(1, 0x06)), true),
      extension('2.5.29.14', octetString(keyIdentifier(privateKey)))
    ]
  })
  return { certificate: toPem(certificate), key: privateKey }
}

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const generateKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

const privateKeyPem = (key: KeyObject) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Of the public half. Source: RFC 5280, 4.2.1.2 */
function keyIdentifier(key: KeyObject) {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = [
    '04',
    Buffer.from(x, 'base64url').toString('hex'),
    Buffer.from(y, 'base64url').toString('hex')
  ]
  return createHash('sha1').update(point.join(''), 'hex').digest()
}

const extension = (id: string, value: Buffer, isCritical = false) =>
  sequence(objectId(id), ...(isCritical ? [yes] : []), octetString(value))

interface CertificateParts {
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly until: Date
  readonly publicKey: KeyObject
  readonly signingKey: KeyObject
  readonly extensions: readonly Buffer[]
}

function certificateOf({
  issuer,
  subject,
  until,
  publicKey,
  signingKey,
  extensions
}: CertificateParts) {
  const algorithm = sequence(objectId('1.2.840.10045.4.3.2'))
  const serial = randomBytes(16)
  // Positive, and without a leading zero.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const signed = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(serial),
    algorithm,
    issuer,
    sequence(utcTime(new Date(Date.now() - slackMs)), utcTime(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions))
  )
  return sequence(signed, algorithm, bitString(sign('sha256', signed, signingKey)))
}

const toPem = (certificate: Buffer) => new X509Certificate(certificate).toString()

/** A tag, its length, and what it holds. */
function der(tag: number, ...parts: readonly Uint8Array[]) {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])

  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...bytes), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const integer = (bytes: Uint8Array) => der(0x02, bytes)
const bitString = (bytes: Uint8Array) => der(0x03, Buffer.of(0), bytes)
const octetString = (bytes: Uint8Array) => der(0x04, bytes)
const yes: Buffer = Buffer.from([0x01, 0x01, 0xff])

/** @param dotted e.g. `2.5.29.17`; numbers from 2^14 occur in none that is written here */
function objectId(dotted: string) {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = rest.flatMap((one) => {
    if (one < 0x80) return [one]
    const low = [0x80 | ((one >> 7) & 0x7f), one & 0x7f]
    return one < 0x4000 ? low : [0x80 | (one >> 14), ...low]
  })
  return der(0x06, Buffer.of(first * 40 + second, ...bytes))
}

/** Of this century until 2049. */
const utcTime = (at: Date) =>
  der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

/** A name that has only a common name, which may have 64 characters. */
function commonName(text: string) {
  const value = der(0x0c, Buffer.from(text.slice(0, 64)))
  return sequence(der(0x31, sequence(objectId('2.5.4.3'), value)))
}

/** A host, as a certificate is for it. */
function alternativeName(host: string) {
  const isAddress = isIPv4(host) || isIPv6(host)
  return isAddress ? der(0x87, addressBytes(host)) : der(0x82, Buffer.from(host))
}

function addressBytes(address: string) {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))

  // As the URL Standard spells it: without an IPv4 address at its end, one gap at most.
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = [], after = []] = spelled
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...gap, ...after].map((group) => Number.parseInt(group, 16))
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}
