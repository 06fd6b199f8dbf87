/** A client of the wiki inside wikitape: credentials from flags and environment; sends requests to an engine, keeps cookies, logs in. */
import type { Manifest } from '../../recorder/cassette/format/manifest.ts'
import type { Engine } from '../../recorder/engine/engine.ts'
import {
  callerByBotPassword,
  callerByHeader
} from '../../recorder/engine/session/known-callers.ts'
import type {
  IncomingHeaders,
  IncomingRequest,
  Reply
} from '../../recorder/http/incoming-request.ts'
import { type JsonTree, memberAt, textAt, textOf } from '../../recorder/json/json-tree.ts'
import { readJson } from '../../recorder/json/read-json.ts'
import type { Identity } from '../../recorder/request/api-request.ts'
import { parseSetCookie } from '../../recorder/wiki/cookies/session-cookies.ts'
import { writeQuery } from '../../recorder/wiki/parameters/request-params.ts'
import { type Invocation, UsageError } from '../args/command.ts'

export interface Credentials {
  readonly login: { readonly name: string; readonly password: string } | undefined
  readonly bearer: string | undefined
}

/** A password is never taken from the command line, where every process of the machine could read it. @throws UsageError */
export async function readCredentials(call: Invocation): Promise<Credentials> {
  const name = call.value('login')
  const bearer = call.env['WIKITAPE_BEARER'] || undefined
  if (name === undefined) return { login: undefined, bearer }
  if (bearer !== undefined)
    throw new UsageError(
      'both --login and WIKITAPE_BEARER are given; expected one of them'
    )
  const password =
    call.env['WIKITAPE_PASSWORD'] || (await call.askSecret?.(`Password of ${name}: `))
  if (password === undefined || password === '')
    throw new UsageError(
      `--login ${name} needs a password; put it (or that of a bot, Special:BotPasswords) into WIKITAPE_PASSWORD, or run this at a terminal`
    )
  return { login: { name, password }, bearer }
}

/** The name under which the cassette stores them; that of a bot password follows the user's own. */
export function identityOf(
  { login, bearer }: Credentials,
  { callers }: Pick<Manifest, 'callers'>
): Identity {
  if (bearer !== undefined) return callerByHeader(callers, '') ?? 'authorized'
  if (!login) return 'anonymous'
  const user = login.name
    .replace(/@[^@]*$/, '')
    .replaceAll('_', ' ')
    .trim()
  const named: Identity = `user:${user.slice(0, 1).toUpperCase()}${user.slice(1)}`
  return callerByBotPassword(callers, login.name) ?? named
}

/** Longer queries go as a POST: web servers refuse long request lines. */
const maxUrlLength = 6000

export class WikiClient {
  readonly #engine: Engine
  readonly #path: string
  readonly #bearer: string | undefined
  readonly #cookies = new Map<string, string>()

  /** @param path path of the wiki's api.php. @param bearer an OAuth 2 token */
  constructor(engine: Engine, path: string, bearer: string | undefined) {
    this.#engine = engine
    this.#path = path
    this.#bearer = bearer
  }

  /** @param query of api.php. @throws UpstreamError */
  query(query: string): Promise<Reply> {
    return query.length <= maxUrlLength
      ? this.get(`${this.#path}?${query}`)
      : this.#post(query)
  }

  /** @param target path and query. @throws UpstreamError */
  get(target: string): Promise<Reply> {
    return this.#send({
      method: 'GET',
      target,
      headers: this.headers(),
      body: new Uint8Array()
    })
  }

  headers(): IncomingHeaders {
    const cookie = [...this.#cookies]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    return {
      ...(cookie === '' ? {} : { cookie }),
      ...(this.#bearer === undefined ? {} : { authorization: `Bearer ${this.#bearer}` })
    }
  }

  /** Logs in as clients do. @throws UsageError if the wiki refuses, UpstreamError */
  async logIn(name: string, password: string): Promise<void> {
    const login = (lgtoken: string | undefined) =>
      this.#postJson({
        action: 'login',
        lgname: name,
        lgpassword: password,
        lgtoken
      })
    const first = await login(await this.#loginToken())
    const needsToken = textAt(first, 'login', 'result') === 'NeedToken'
    const answer = needsToken ? await login(textAt(first, 'login', 'token')) : first
    if (textAt(answer, 'login', 'result') === 'Success') return
    if (needsClientLogin(answer) && !name.includes('@'))
      return this.#clientLogIn(name, password)
    throw loginError(name, failureReason(answer))
  }

  async #clientLogIn(username: string, password: string) {
    const answer = await this.#postJson({
      action: 'clientlogin',
      username,
      password,
      loginreturnurl: 'http://127.0.0.1/',
      logintoken: await this.#loginToken()
    })
    const status = textAt(answer, 'clientlogin', 'status')
    if (status === 'PASS') return
    const isInteractive = status === 'UI' || status === 'REDIRECT'
    throw loginError(username, isInteractive ? needsBotPassword : failureReason(answer))
  }

  async #loginToken() {
    const reply = await this.get(
      `${this.#path}?action=query&meta=tokens&type=login&format=json`
    )
    return textAt(jsonIn(reply), 'query', 'tokens', 'logintoken')
  }

  async #postJson(params: Readonly<Record<string, string | undefined>>) {
    const all = Object.entries({ ...params, format: 'json' })
    const given = all.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const]
    )
    return jsonIn(await this.#post(writeQuery(given)))
  }

  #post(query: string) {
    return this.#send({
      method: 'POST',
      target: this.#path,
      headers: {
        ...this.headers(),
        'content-type': 'application/x-www-form-urlencoded'
      },
      body: Buffer.from(query)
    })
  }

  async #send(request: Pick<IncomingRequest, 'method' | 'target' | 'headers' | 'body'>) {
    const reply = await this.#engine.handle({
      ...request,
      session: '',
      signal: undefined
    })
    for (const [name, value] of reply.headers)
      if (name === 'set-cookie') this.#storeCookie(value)
    return reply
  }

  #storeCookie(header: string) {
    const { name, value, expiresIn } = parseSetCookie(header, Date.now())
    if (value === '' || value === 'deleted' || (expiresIn ?? 1) <= 0)
      this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

/** @throws UsageError, UpstreamError */
export async function loggedInClient(
  engine: Engine,
  path: string,
  credentials: Credentials
): Promise<WikiClient> {
  const client = new WikiClient(engine, path, credentials.bearer)
  if (credentials.login)
    await client.logIn(credentials.login.name, credentials.login.password)
  return client
}

function jsonIn({ body, whyNotRecorded }: Reply) {
  const reading = readJson(body.toString('utf8'))
  if (reading.ok) return reading.tree
  throw new UsageError(
    `the login request failed: ${whyNotRecorded ?? 'its answer is not JSON'}`
  )
}

const needsBotPassword =
  'it requires a second factor or other interactive input; make a bot password (Special:BotPasswords) and use its name, e.g. --login Name@wikitape'

/** True if action=login refuses a user's own password: another step is wanted, or the module is switched off. */
const needsClientLogin = (tree: JsonTree | undefined) =>
  textAt(tree, 'login', 'result') === 'Aborted' ||
  textAt(tree, 'error', 'code') === 'moduledisabled'

const loginError = (name: string, why: string) =>
  new UsageError(`cannot log in as ${name}: ${why}`)

/** The wiki's own words, which differ by version and module. */
function failureReason(tree: JsonTree | undefined) {
  const reasons = [
    memberAt(tree, 'login', 'reason'),
    memberAt(tree, 'login', 'reason', 'text'),
    memberAt(tree, 'clientlogin', 'message'),
    memberAt(tree, 'error', 'info'),
    memberAt(tree, 'login', 'result')
  ].map(textOf)
  return (
    reasons.find((one) => one !== undefined && one !== '') ?? 'the wiki does not say why'
  )
}
