/** Trusted certificates as Java reads them. Source: OpenJDK, sun.security.provider.JavaKeyStore (JKS, version 2) */
import { createHash } from 'node:crypto'

/** Everybody's, for stores that hold no secret. */
const javaPassword = 'changeit'

/** @param certificates in DER */
export function javaTrustStore(certificates: readonly Buffer[]): Buffer {
  const entries = certificates.flatMap((certificate, at) => [
    uint32(2),
    text(`c${at}`),
    Buffer.alloc(8),
    text('X.509'),
    uint32(certificate.length),
    certificate
  ])
  const store = Buffer.concat([
    uint32(0xfeedfeed),
    uint32(2),
    uint32(certificates.length),
    ...entries
  ])
  const digest = createHash('sha1')
    .update(Buffer.from(javaPassword, 'utf16le').swap16())
    .update('Mighty Aphrodite')
    .update(store)
  return Buffer.concat([store, digest.digest()])
}

function uint32(value: number) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const text = (value: string) =>
  Buffer.concat([Buffer.of(value.length >> 8, value.length & 0xff), Buffer.from(value)])
