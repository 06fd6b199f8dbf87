/** A certificate authority of wikitape's own. What it signs is for programs that were started to trust it (docs/decisions/0240). */
import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate
} from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { getOrAdd } from '../../text/group-by.ts'
import {
  alternativeName,
  bitString,
  commonName,
  der,
  integer,
  objectId,
  octetString,
  sequence,
  utcTime,
  yes
} from './der.ts'

const dayMs = 86_400_000
/** A clock may be an hour behind that of this process, e.g. in a container. */
const slackMs = 3_600_000
const maxHosts = 1000

export interface TlsCredentials {
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
