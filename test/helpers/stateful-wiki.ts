/** A wiki that remembers: accounts, sessions, tokens, pages. It answers as MediaWiki 1.43 was seen to. */
import { createHash, randomBytes } from 'node:crypto'
import http from 'node:http'
import { type FakeAnswer, type FakeWiki, fakeWiki } from './fake-wiki.ts'
import { ask, type HttpReply } from './http-client.ts'
import type { Seen } from './upstreams.ts'

export const password = 'correct horse battery 77'

interface Session {
  readonly id: string
  user: string | undefined
}

interface Page {
  readonly id: number
  text: string
  revision: number
}

type Params = ReadonlyMap<string, string>

const docref = 'See http://wiki.invalid/w/api.php for API usage.'
const failure = (code: string, info: string): FakeAnswer => ({
  headers: { 'mediawiki-api-error': code },
  body: JSON.stringify({ error: { code, info, '*': docref } })
})

class Wiki {
  readonly #sessions = new Map<string, Session>()
  /** Whom a remember-me token logs in again; a logout leaves it as it is. */
  readonly #remembered = new Map<string, string>()
  readonly #pages = new Map<string, Page>()
  #revision = 100

  answer(params: Params, { headers }: Seen): FakeAnswer {
    const cookies: string[] = []
    const session = this.#sessionOf(headers.cookie ?? '', cookies)
    const answer = this.#act(params, session, cookies)
    if (cookies.length === 0) return answer
    const { headers: more = {}, body } =
      typeof answer === 'string' ? { body: answer } : answer
    return { headers: { ...more, 'set-cookie': cookies }, body }
  }

  #act(params: Params, session: Session | undefined, cookies: string[]): FakeAnswer {
    switch (params.get('action')) {
      case 'login':
        return this.#login(params, session, cookies)
      case 'clientlogin':
        return this.#clientLogin(params, session, cookies)
      case 'logout':
        this.#sessions.delete(session?.id ?? '')
        for (const name of ['wiki_session', 'wikiUserID', 'wikiToken'])
          cookies.push(`${name}=deleted; Max-Age=0; path=/`)
        return '{}'
      case 'edit':
        return this.#edit(params, session, cookies)
      default:
        return this.#query(params, session, cookies)
    }
  }

  #query(params: Params, session: Session | undefined, cookies: string[]): FakeAnswer {
    if (params.get('meta') === 'tokens') {
      const own = session ?? this.#begin(undefined, cookies)
      const tokens = (params.get('type') ?? 'csrf')
        .split('|')
        .map((type) => [`${type}token`, tokenOf(own, type)])
      return JSON.stringify({
        batchcomplete: '',
        query: { tokens: Object.fromEntries(tokens) }
      })
    }
    if (params.get('meta') === 'userinfo')
      return JSON.stringify({
        batchcomplete: '',
        query: {
          userinfo: session?.user
            ? { id: 3, name: session.user }
            : { id: 0, name: '127.0.0.1' }
        }
      })
    const title = params.get('titles') ?? ''
    const page = this.#pages.get(title)
    const told = page && {
      pageid: page.id,
      title,
      revisions: [{ revid: page.revision, '*': page.text }]
    }
    return JSON.stringify({
      batchcomplete: '',
      query: { pages: { [page?.id ?? -1]: told ?? { title, missing: '' } } }
    })
  }

  #login(params: Params, session: Session | undefined, cookies: string[]): FakeAnswer {
    const token = params.get('lgtoken')
    const wanted = session && tokenOf(session, 'login')
    if (token === undefined)
      return JSON.stringify({ login: { result: 'NeedToken', token: wanted } })
    if (token !== wanted) return JSON.stringify({ login: { result: 'WrongToken' } })
    if (params.get('lgpassword') !== password)
      return JSON.stringify({
        login: { result: 'Failed', reason: 'Incorrect username or password entered.' }
      })
    // A bot password names the bot behind the user.
    const [name = ''] = (params.get('lgname') ?? '').split('@')
    this.#admit(name, session, cookies)
    return JSON.stringify({ login: { result: 'Success', lguserid: 3, lgusername: name } })
  }

  #clientLogin(
    params: Params,
    session: Session | undefined,
    cookies: string[]
  ): FakeAnswer {
    const username = params.get('username') ?? ''
    if (params.get('logintoken') !== (session && tokenOf(session, 'login')))
      return failure('badtoken', 'Invalid CSRF token.')
    if (params.get('password') !== password)
      return JSON.stringify({
        clientlogin: { status: 'FAIL', messagecode: 'wrongpassword' }
      })
    this.#admit(username, session, cookies)
    return JSON.stringify({ clientlogin: { status: 'PASS', username } })
  }

  #admit(name: string, session: Session | undefined, cookies: string[]): void {
    this.#sessions.delete(session?.id ?? '')
    const token = randomBytes(16).toString('hex')
    this.#remembered.set(token, name)
    this.#beginFor(name, token, cookies)
  }

  #beginFor(name: string, token: string, cookies: string[]): Session {
    const session = this.#begin(name, cookies)
    cookies.push(
      'wikiUserID=3; path=/; HttpOnly',
      `wikiUserName=${encodeURIComponent(name)}; path=/`
    )
    cookies.push(`wikiToken=${token}; path=/; HttpOnly`)
    return session
  }

  /** An edit begins a session, also of a caller who is not logged in. */
  #edit(params: Params, session: Session | undefined, cookies: string[]): FakeAnswer {
    if (
      params.get('token') !==
      (session?.user === undefined ? '+\\' : tokenOf(session, 'csrf'))
    )
      return failure('badtoken', 'Invalid CSRF token.')
    const title = params.get('title') ?? ''
    const text = params.get('text') ?? ''
    const old = this.#pages.get(title)
    if (old?.text === text)
      return JSON.stringify({ edit: { result: 'Success', title, nochange: '' } })
    if (session === undefined) this.#begin(undefined, cookies)
    this.#revision += 1
    const page = { id: old?.id ?? this.#pages.size + 1, text, revision: this.#revision }
    this.#pages.set(title, page)
    return JSON.stringify({
      edit: { result: 'Success', pageid: page.id, title, newrevid: page.revision }
    })
  }

  /** As CookieSessionProvider does: without a UserID nobody is logged in, and a token begins a session anew. */
  #sessionOf(cookie: string, cookies: string[]): Session | undefined {
    const session = this.#sessions.get(/wiki_session=(\w+)/.exec(cookie)?.[1] ?? '')
    const hasId = /wikiUserID=\d/.test(cookie)
    if (session !== undefined && (session.user === undefined || hasId)) return session
    const [, token = ''] = /wikiToken=(\w+)/.exec(cookie) ?? []
    const user = hasId ? this.#remembered.get(token) : undefined
    if (user !== undefined) return this.#beginFor(user, token, cookies)
    if (hasId) cookies.push('wikiUserID=deleted; Max-Age=0; path=/')
    return undefined
  }

  #begin(user: string | undefined, cookies: string[]): Session {
    const session = { id: randomBytes(16).toString('hex'), user }
    this.#sessions.set(session.id, session)
    cookies.push(`wiki_session=${session.id}; path=/; HttpOnly`)
    return session
  }
}

const tokenOf = (session: Session, type: string): string =>
  session.user === undefined && type !== 'login'
    ? '+\\'
    : `${createHash('sha1').update(`${session.id} ${type}`).digest('hex')}+\\`

export function statefulWiki(): Promise<FakeWiki> {
  const wiki = new Wiki()
  return fakeWiki((params, seen) => wiki.answer(params, seen), true)
}

const agent = new http.Agent({ keepAlive: true })

/** A client with a cookie jar, as libraries of many languages are. */
export class Client {
  readonly #apiOf: () => string
  readonly #headers: Readonly<Record<string, string>>
  readonly #jar = new Map<string, string>()

  /** @param api a function where each request may go to another server */
  constructor(
    api: string | (() => string),
    headers: Readonly<Record<string, string>> = {}
  ) {
    this.#apiOf = typeof api === 'string' ? () => api : api
    this.#headers = headers
  }

  get #api(): string {
    return this.#apiOf()
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#jar
  }

  /** Back to the cookies of another day, as a program that kept them in a file. */
  restore(cookies: ReadonlyMap<string, string>): void {
    this.#jar.clear()
    for (const [name, value] of cookies) this.#jar.set(name, value)
  }

  async logout(): Promise<HttpReply> {
    return this.post({ action: 'logout', token: await this.token('csrf') })
  }

  get(params: Readonly<Record<string, string>>): Promise<HttpReply> {
    const query = new URLSearchParams({ format: 'json', ...params }).toString()
    return this.#take(ask(`${this.#api}?${query}`, { headers: this.#sent(), agent }))
  }

  post(params: Readonly<Record<string, string>>): Promise<HttpReply> {
    const body = new URLSearchParams({ format: 'json', ...params }).toString()
    const headers = {
      ...this.#sent(),
      'content-type': 'application/x-www-form-urlencoded'
    }
    return this.#take(ask(this.#api, { method: 'POST', body, headers, agent }))
  }

  async token(type: string): Promise<string> {
    const { text } = await this.get({ action: 'query', meta: 'tokens', type })
    return (
      (JSON.parse(text) as { query: { tokens: Record<string, string> } }).query.tokens[
        `${type}token`
      ] ?? ''
    )
  }

  async login(lgname: string, lgpassword: string = password): Promise<HttpReply> {
    return this.post({
      action: 'login',
      lgname,
      lgpassword,
      lgtoken: await this.token('login')
    })
  }

  /** @param token asked for unless given */
  async clientLogin(
    username: string,
    own: string = password,
    token?: string
  ): Promise<HttpReply> {
    const logintoken = token ?? (await this.token('login'))
    const loginreturnurl = 'http://127.0.0.1/'
    return this.post({
      action: 'clientlogin',
      username,
      password: own,
      logintoken,
      loginreturnurl
    })
  }

  /** @param token asked for unless given */
  async edit(title: string, text: string, token?: string): Promise<HttpReply> {
    return this.post({
      action: 'edit',
      title,
      text,
      token: token ?? (await this.token('csrf'))
    })
  }

  /** Multipart, with another boundary each time. */
  async upload(filename: string, bytes: Uint8Array): Promise<HttpReply> {
    const boundary = randomBytes(12).toString('hex')
    const fields = {
      action: 'upload',
      format: 'json',
      filename,
      ignorewarnings: '1',
      token: await this.token('csrf')
    }
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    )
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: image/png\r\n\r\n`
    const body = Buffer.concat([
      Buffer.from(parts.join('') + head),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`)
    ])
    const headers = {
      ...this.#sent(),
      'content-type': `multipart/form-data; boundary=${boundary}`
    }
    return this.#take(ask(this.#api, { method: 'POST', body, headers, agent }))
  }

  read(titles: string): Promise<HttpReply> {
    return this.get({ action: 'query', prop: 'revisions', rvprop: 'ids|content', titles })
  }

  whoami(): Promise<HttpReply> {
    return this.get({ action: 'query', meta: 'userinfo' })
  }

  #sent(): Record<string, string> {
    const cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ')
    return { ...this.#headers, ...(cookie === '' ? {} : { cookie }) }
  }

  async #take(asking: Promise<HttpReply>): Promise<HttpReply> {
    const reply = await asking
    for (const header of reply.headers['set-cookie'] ?? []) {
      const [pair = ''] = header.split(';', 1)
      const [name = '', value = ''] = pair.split('=')
      if (value === 'deleted') this.#jar.delete(name)
      else this.#jar.set(name, value)
    }
    return reply
  }
}

/** An answer less the tokens in it, which no two sessions share. */
export const withoutTokens = ({ text }: HttpReply): string =>
  text.replace(/[0-9a-f]{40}(?=\+\\\\")/g, 'TOKEN')
