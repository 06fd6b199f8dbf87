/** Somebody who is logged in to a wiki of the lab and writes there: scripts that need what people do. */
import type { LabAccount } from './lab.ts'

type Json = Readonly<Record<string, unknown>>
const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

export class WikiSession {
  readonly #api: string
  readonly #cookies = new Map<string, string>()

  /** Nobody in particular, until a login. @param api address of an api.php */
  constructor(api: string) {
    this.#api = api
  }

  /** @throws Error where the wiki does not let the account in */
  static async of(api: string, { name, password }: LabAccount): Promise<WikiSession> {
    const session = new WikiSession(api)
    const lgtoken = await session.token('login')
    const answer = await session.post({
      action: 'login',
      lgname: name,
      lgpassword: password,
      lgtoken
    })
    if (object(answer['login'])['result'] !== 'Success')
      throw new Error(JSON.stringify(answer))
    return session
  }

  /** The answer less `debuginfo`. @param query with letters as people write them */
  get(query: string): Promise<Json> {
    const pairs = query
      .split('&')
      .map((pair) => pair.split('=').map(encodeURIComponent).join('='))
    return this.#send(`${this.#api}?${pairs.join('&')}`, {})
  }

  post(params: Readonly<Record<string, string>>): Promise<Json> {
    return this.#send(this.#api, {
      method: 'POST',
      body: new URLSearchParams({ ...params, format: 'json' })
    })
  }

  async token(type: string): Promise<string> {
    const answer = await this.get(`action=query&meta=tokens&type=${type}&format=json`)
    return String(object(object(answer['query'])['tokens'])[`${type}token`])
  }

  /** @param type of the token that the module wants. @throws Error where the wiki refuses */
  async write(params: Readonly<Record<string, string>>, type = 'csrf'): Promise<void> {
    const name = type === 'createaccount' ? 'createtoken' : 'token'
    const answer = await this.post({ ...params, [name]: await this.token(type) })
    const status = object(answer['createaccount'])['status'] ?? 'PASS'
    if (answer['error'] !== undefined || status !== 'PASS')
      throw new Error(JSON.stringify(answer))
  }

  /** @throws Error where the wiki refuses */
  async upload(filename: string, bytes: Uint8Array): Promise<void> {
    const params = { action: 'upload', ignorewarnings: '1', filename }
    const answer = await this.#sendFile(params, 'file', bytes, filename)
    if (object(answer['upload'])['result'] !== 'Success')
      throw new Error(JSON.stringify(answer))
  }

  /** @param xml pages as another wiki exports them. @throws Error where the wiki refuses */
  async import(xml: string): Promise<void> {
    const params = { action: 'import', interwikiprefix: 'en', summary: 'import' }
    const answer = await this.#sendFile(params, 'xml', Buffer.from(xml), 'pages.xml')
    if (answer['import'] === undefined) throw new Error(JSON.stringify(answer))
  }

  async #sendFile(
    params: Readonly<Record<string, string>>,
    name: string,
    bytes: Uint8Array,
    filename: string
  ): Promise<Json> {
    const body = new FormData()
    const all = { ...params, format: 'json', token: await this.token('csrf') }
    for (const [key, value] of Object.entries(all)) body.append(key, value)
    body.append(name, new Blob([Buffer.from(bytes)]), filename)
    return this.#send(this.#api, { method: 'POST', body })
  }

  /** The answer byte for byte. @param query as it goes into an address */
  async raw(query: string): Promise<{ readonly status: number; readonly body: string }> {
    const answer = await this.#fetch(`${this.#api}?${query}`, {})
    return { status: answer.status, body: await answer.text() }
  }

  async #send(url: string, init: RequestInit): Promise<Json> {
    const answer = await this.#fetch(url, init)
    const { debuginfo: _, ...body } = object(await answer.json())
    return body
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const answer = await fetch(url, { ...init, headers: { cookie } })
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      this.#cookies.set(name, value)
    }
    return answer
  }
}
