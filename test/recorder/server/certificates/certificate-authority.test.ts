/** Certificates of wikitape's own, as Node.js and OpenSSL read them. */
import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  CertificateAuthority,
  createAuthority
} from '../../../../src/recorder/server/certificates/certificate-authority.ts'

const hourMs = 3_600_000

it('is an authority on P-256 for a day, and each has a name of its own', () => {
  const [one, other] = [createAuthority(1), createAuthority(1)]
  const certificate = new X509Certificate(one.certificate)
  expect([certificate.ca, certificate.verify(certificate.publicKey)]).toEqual([
    true,
    true
  ])
  expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({
    namedCurve: 'prime256v1'
  })
  const hours = (Date.parse(certificate.validTo) - Date.now()) / hourMs
  expect(Math.round(hours)).toBe(24)
  expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now() - 0.9 * hourMs)
  expect(certificate.subject).not.toBe(new X509Certificate(other.certificate).subject)
})

it('signs for 300 hosts, and for each once', () => {
  const { certificate, key } = createAuthority(1)
  const authority = new CertificateAuthority(certificate, key)
  const root = new X509Certificate(certificate)
  for (let at = 0; at < 300; at += 1) {
    const name = `w${at}.wiki.test`
    const { cert } = authority.credentialsFor(name)
    const shown = new X509Certificate(cert)
    expect([shown.checkIssued(root), shown.verify(root.publicKey)]).toEqual([true, true])
    expect([shown.ca, shown.checkHost(name), shown.checkHost('other.test')]).toEqual([
      false,
      name,
      undefined
    ])
    expect(authority.credentialsFor(name).cert).toBe(cert)
  }
})

it.each(['127.0.0.1', '::1', '2001:db8::ffff:1', '1:2:3:4:5:6:7:8'])(
  'signs for %s',
  (address) => {
    const { certificate, key } = createAuthority(1)
    const { cert } = new CertificateAuthority(certificate, key).credentialsFor(address)
    expect(new X509Certificate(cert).checkIP(address)).toBe(address)
  }
)

it('signs for a name that is longer than a common name may be', () => {
  const { certificate, key } = createAuthority(1)
  const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.wiki.test`
  const { cert } = new CertificateAuthority(certificate, key).credentialsFor(name)
  expect(new X509Certificate(cert).checkHost(name)).toBe(name)
})
