/**
 * The secrets that one recording session has seen, and the last look at what is about to be written: a value that was
 * secret once and stands in clear elsewhere stops the write.
 */
import { isSecretParam } from '../request/secrets.ts'
import type { Params } from '../wiki/params.ts'
import { cookieKind, credentialHeaders, isEmail, secretName } from './names.ts'
import { NeedleIndex } from './needles.ts'
import { isDistinctive, looksRandom, type Secret, type SecretKind } from './secret.ts'
import { base64Spellings, spellingsOf } from './spellings.ts'

/** A secret that stands in clear in what was to be written; its value is not told. */
export interface Leak {
  readonly kind: SecretKind
  /** Where the session met the secret, e.g. `lgpassword`. */
  readonly source: string
}

/** So many secrets are remembered, half of them at most passwords; beyond, the oldest are forgotten. */
const memory = 2048
/** Only the beginning of a longer value is looked for. */
const longest = 512

export class Ledger {
  /** By value, the least recently seen first. */
  readonly #secrets: Map<string, Secret> = new Map()
  #index: NeedleIndex<Secret> = new NeedleIndex()

  /**
   * Learns what a client sent: cookies, credentials of `Authorization`, passwords and tokens among the parameters.
   * @param headers pairs of name and value, as they came
   */
  learnFromRequest(params: Params, headers: Iterable<readonly [string, string]>): void {
    for (const [name, value] of headers) this.#learn(secretsOfHeader(name, value))
    this.#learn(secretsOfParams(params))
  }

  /** Learns what was redacted in an answer. What an answer calls a password may be a label; then it is left out. */
  learnFromResponse(secrets: readonly Secret[]): void {
    this.#learn(secrets.filter(({ kind, value }) => kind !== 'password' || looksRandom(value)))
  }

  /** The caller's own addresses, for `redactResponse`: an answer that does not say whose they are may hold them. */
  addresses(): readonly Secret[] {
    return [...this.#secrets.values()].filter(({ kind }) => kind === 'address')
  }

  /**
   * The secrets that stand in clear, or in a usual encoding, in what is about to be written.
   * @param written the file and its path; a binary body also by itself, since the file holds it in base64
   */
  leaks(...written: readonly (string | Uint8Array)[]): readonly Leak[] {
    const found = new Set(written.flatMap((one) => [...this.#index.find(asText(one))]))
    return [...found].map(({ kind, source }) => ({ kind, source }))
  }

  #learn(secrets: readonly Secret[]): void {
    for (const secret of secrets) if (isDistinctive(secret)) this.#remember(secret)
  }

  #remember(secret: Secret): void {
    const known = this.#secrets.get(secret.value)
    this.#secrets.delete(secret.value)
    this.#secrets.set(secret.value, known ?? secret)
    if (known === undefined) addNeedles(this.#index, secret)
    if (this.#secrets.size > memory + 256) this.#forget()
  }

  #forget(): void {
    const all = [...this.#secrets.values()]
    const isPassword = (one: Secret): boolean => one.kind === 'password'
    const kept = new Set([
      ...all.filter(isPassword).slice(-memory / 2),
      ...all.filter((one) => !isPassword(one)).slice(-memory / 2),
    ])
    this.#index = new NeedleIndex()
    for (const secret of all) {
      if (kept.has(secret)) addNeedles(this.#index, secret)
      else this.#secrets.delete(secret.value)
    }
  }
}

const asText = (written: string | Uint8Array): string =>
  typeof written === 'string'
    ? written
    : Buffer.from(written.buffer, written.byteOffset, written.byteLength).toString('utf8')

function addNeedles(index: NeedleIndex<Secret>, secret: Secret): void {
  const value = secret.value.slice(0, longest)
  // Words may be part of other words, addresses of other addresses.
  const bordered = secret.kind === 'address' || /^\p{L}+$/u.test(value)
  const core = isMachineMade(secret) ? coreOf(value) : undefined
  for (const text of core === undefined ? spellingsOf(value) : [core]) {
    index.add({ text, bordered, owner: secret })
  }
  if (secret.kind === 'address') return
  for (const text of base64Spellings(core ?? value)) index.add({ text, bordered: false, owner: secret })
}

const isMachineMade = ({ kind }: Secret): boolean =>
  kind !== 'password' && kind !== 'email' && kind !== 'address'

/** The longest run of letters and digits: no encoding but base64 touches it. */
function coreOf(value: string): string | undefined {
  const runs = value.match(/[A-Za-z0-9]+/g) ?? []
  const core = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return core.length >= 16 ? core : undefined
}

/** The parameters that carry no secret although their name begins with `oauth_`: they say how a request was signed. */
const signing = /^oauth_(?:version|timestamp|nonce|signature_method|consumer_key|callback|realm)$/

function secretsOfParams(params: Params): readonly Secret[] {
  const names = new Set(['lgname', 'username', 'name', 'user'].map((name) => params.get(name)?.toLowerCase()))
  return [...params].flatMap(([name, value]) => {
    const kind = secretName(name) ?? (isSecretParam(name, undefined) ? 'token' : undefined)
    if (kind === undefined || signing.test(name)) return []
    if (kind === 'email') return isEmail(value) ? [{ kind, value, source: name }] : []
    // A password that is the user's name stands in every answer.
    return kind === 'password' ? passwords(value, name, names) : [{ kind, value, source: name }]
  })
}

/** Bot passwords are also sent as `<bot>@<password>`. */
function passwords(value: string, source: string, names: ReadonlySet<string | undefined>): readonly Secret[] {
  if (names.has(value.toLowerCase())) return []
  const bot = /@([0-9a-v]{32})$/.exec(value)?.[1]
  const whole: Secret = { kind: 'password', value, source }
  return bot === undefined ? [whole] : [whole, { kind: 'password', value: bot, source }]
}

function secretsOfHeader(name: string, value: string): readonly Secret[] {
  const lower = name.toLowerCase()
  if (!credentialHeaders.has(lower)) return []
  if (lower === 'cookie') return secretsOfCookies(value)
  return lower.endsWith('authorization') ? secretsOfAuthorization(value, lower) : whole('token', value, lower)
}

/** The value as sent as well as decoded; whether it is worth watching for shows when it is decoded. */
function whole(kind: SecretKind, value: string, source: string): readonly Secret[] {
  const plain: Secret = { kind, value: decoded(value), source }
  return isDistinctive(plain) ? [plain, { kind, value, source }] : []
}

function secretsOfCookies(header: string): readonly Secret[] {
  return header.split(';').flatMap((pair) => {
    const cut = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, cut)).trim()
    const value = pair
      .slice(cut + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    const kind = cookieKind(name)
    return kind === 'session' || kind === 'cookie' ? whole(kind, value, `cookie ${name}`) : []
  })
}

/** `Basic <base64>`, `Bearer <token>`, `OAuth name="value", …` and whatever else has a scheme and a rest. */
function secretsOfAuthorization(header: string, source: string): readonly Secret[] {
  const cut = header.indexOf(' ')
  const scheme = header.slice(0, Math.max(0, cut)).toLowerCase()
  const rest = header.slice(cut + 1).trim()
  if (scheme === 'basic') return secretsOfBasic(rest, source)
  if (scheme !== 'oauth' && scheme !== 'digest') return whole('oauth', rest, source)
  return [...rest.matchAll(/(?<![\w-])([\w-]{1,64})="([^"]*)"/g)].flatMap(([, name = '', value = '']) =>
    signing.test(name) ? [] : whole('oauth', value, `${source} ${name}`),
  )
}

function secretsOfBasic(credentials: string, source: string): readonly Secret[] {
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  const password = pair.slice(pair.indexOf(':') + 1)
  return [
    { kind: 'oauth', value: credentials, source },
    { kind: 'password', value: password, source },
  ]
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
