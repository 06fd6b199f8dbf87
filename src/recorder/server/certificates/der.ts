/** Values in DER, as certificates are written in it. Source: ITU-T X.690; RFC 5280, 4.1 */
import { isIPv4, isIPv6 } from 'node:net'

/** A tag, its length, and what it holds. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])

  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...bytes), content])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
export const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes)
export const bitString = (bytes: Uint8Array): Buffer => der(0x03, Buffer.of(0), bytes)
export const octetString = (bytes: Uint8Array): Buffer => der(0x04, bytes)
export const yes: Buffer = Buffer.from([0x01, 0x01, 0xff])

/** @param dotted e.g. `2.5.29.17`; numbers from 2^14 occur in none that is written here */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = rest.flatMap((one) => {
    if (one < 0x80) return [one]
    const low = [0x80 | ((one >> 7) & 0x7f), one & 0x7f]
    return one < 0x4000 ? low : [0x80 | (one >> 14), ...low]
  })
  return der(0x06, Buffer.of(first * 40 + second, ...bytes))
}

/** Of this century until 2049. */
export const utcTime = (at: Date): Buffer =>
  der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

/** A name that has only a common name, which may have 64 characters. */
export function commonName(text: string): Buffer {
  const value = der(0x0c, Buffer.from(text.slice(0, 64)))
  return sequence(der(0x31, sequence(objectId('2.5.4.3'), value)))
}

/** A host, as a certificate is for it. */
export function alternativeName(host: string): Buffer {
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
