/** A certificate authority that outlives a run, with the token of the proxy: a folder of its user alone (`--ca DIR`). */
import {
  createPrivateKey,
  type KeyObject,
  randomBytes,
  X509Certificate
} from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createAuthority } from '../../recorder/server/certificates/certificate-authority.ts'
import { errorText } from '../../recorder/text/error-text.ts'
import { UsageError } from '../args/command.ts'

interface StoredAuthority {
  readonly certificate: string
  readonly key: KeyObject
  readonly token: string
}

const validDays = 90
/** One that ends sooner is made again. */
const renewedMs = 86_400_000

/** Reads it, or makes it. @throws UsageError */
export function storedAuthority(dir: string): StoredAuthority {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    requirePrivate(dir)
    return readAuthority(dir) ?? makeAuthority(dir)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `--ca ${dir}: ${errorText(error)}; name another folder, or delete it`
    )
  }
}

/** On Windows the folder has no such bits. */
function requirePrivate(dir: string) {
  const { mode, uid } = statSync(dir)
  if (!process.getuid) return

  if (uid !== process.getuid() || (mode & 0o077) !== 0)
    throw new UsageError(
      `--ca ${dir}: others may read or change this folder, and whoever has its key can pose as any host; run: chmod 700 ${dir}`
    )
}

/** Undefined if it is not there, or has (nearly) expired. */
function readAuthority(dir: string) {
  const read = (name: string) => readFileSync(path.join(dir, name), 'utf8')
  let certificate: string
  try {
    certificate = read('authority.pem')
  } catch {
    return undefined
  }
  if (Date.parse(new X509Certificate(certificate).validTo) < Date.now() + renewedMs)
    return undefined

  return {
    certificate,
    key: createPrivateKey(read('authority.key')),
    token: read('token')
  }
}

function makeAuthority(dir: string) {
  const { certificate, key } = createAuthority(validDays)
  const token = randomBytes(18).toString('base64url')
  const write = (name: string, text: string) =>
    writeFileSync(path.join(dir, name), text, { mode: 0o600 })
  write('token', token)
  write('authority.key', key.export({ type: 'pkcs8', format: 'pem' }).toString())
  write('authority.pem', certificate)
  return { certificate, key, token }
}
