/** The clients of one run: their cookies, and what they remember of answers. */
import { ask, type HttpReply } from '../../../test/helpers/http-client.ts'
import type { Params, Sent, Step } from '../programs/program.ts'

/** An answer, or why there is none. */
export type Said =
  | { readonly kind: 'answer'; readonly reply: HttpReply }
  /** Nothing was sent: a value that the step needs was never got. */
  | { readonly kind: 'unsent'; readonly lacks: string }
  | { readonly kind: 'failed'; readonly why: string }

export class Clients {
  readonly #origin: string
  readonly #jars = new Map<number, Map<string, string>>()
  /** By client; `all` for what scripts hand on: revisions, keys of files. */
  readonly #known = new Map<string, string>()

  constructor(origin: string) {
    this.#origin = origin
  }

  /** @param origin another place to ask, in this client's name, without learning from it */
  async send(
    step: Step,
    { origin, signal }: { origin?: string; signal?: AbortSignal } = {}
  ): Promise<Said> {
    const { send, who } = step
    if (send.by === 'cookies') return this.#setCookies(who, send.set)
    if (send.by === 'restart') return { kind: 'unsent', lacks: '' }
    const lacking = this.#lacking(send, who)
    if (lacking !== undefined) return { kind: 'unsent', lacks: lacking }
    const filled = JSON.parse(this.#fill(JSON.stringify(send), who)) as Exclude<
      Sent,
      { by: 'cookies' | 'restart' }
    >
    const { target, method, body, headers } = requestOf(filled)
    const cookie = [...this.#jar(who)]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const sent = cookie === '' ? headers : { ...headers, cookie }
    try {
      const reply = await askUntil(
        `${origin ?? this.#origin}${target}`,
        { method, headers: sent, body },
        signal
      )
      if (origin === undefined) this.#learn(step, reply)
      return { kind: 'answer', reply }
    } catch (problem) {
      return {
        kind: 'failed',
        why: problem instanceof Error ? problem.message : String(problem)
      }
    }
  }

  forgetAll(): void {
    this.#jars.clear()
  }

  #jar(who: number): Map<string, string> {
    const jar = this.#jars.get(who) ?? new Map<string, string>()
    this.#jars.set(who, jar)
    return jar
  }

  #setCookies(who: number, set: Params | 'none'): Said {
    this.#jars.set(who, new Map(set === 'none' ? [] : Object.entries(set)))
    return { kind: 'unsent', lacks: '' }
  }

  #lacking(send: Sent, who: number): string | undefined {
    const names = [...JSON.stringify(send).matchAll(variable)].map(
      ([, name = '']) => name
    )
    return names.find((name) => this.#value(name, who) === undefined)
  }

  #fill(text: string, who: number): string {
    return text.replace(variable, (_, name: string) =>
      JSON.stringify(this.#value(name, who) ?? '').slice(1, -1)
    )
  }

  #value(name: string, who: number): string | undefined {
    return this.#known.get(`${who} ${name}`) ?? this.#known.get(name)
  }

  #learn({ who }: Step, reply: HttpReply): void {
    for (const text of reply.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '' || value === 'deleted') this.#jar(who).delete(name)
      else this.#jar(who).set(name, value)
    }
    const answer = parsed(reply.text)
    for (const [name, value] of known(answer))
      this.#known.set(name.startsWith('@') ? `${who} ${name.slice(1)}` : name, value)
  }
}

/** `{csrf}`, `{rev:Prove A}` */
const variable = /\{([a-z]+(?::[^{}"]+)?)\}/g

type Json = Readonly<Record<string, unknown>>
const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

export function parsed(text: string): Json {
  try {
    return object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** What a script takes out of an answer for later; with `@` what only that client may use. */
function* known(answer: Json): Generator<readonly [string, string]> {
  const query = object(answer['query'])
  for (const [name, value] of Object.entries(object(query['tokens'])))
    if (name.endsWith('token')) yield [`@${name.slice(0, -5)}`, String(value)]
  const edit = object(answer['edit'])
  const moment = edit['newtimestamp']
  if (edit['newrevid'] !== undefined)
    yield [`rev:${String(edit['title'])}`, String(edit['newrevid'])]
  if (typeof moment === 'string') yield [`time:${String(edit['title'])}`, moment]
  const upload = object(answer['upload'])
  for (const name of ['filekey', 'sessionkey'] as const)
    if (typeof upload[name] === 'string') yield ['filekey', String(upload[name])]
  for (const page of Object.values(object(query['pages'])).map(object)) {
    const [revision] = Array.isArray(page['revisions']) ? page['revisions'] : []
    const { revid, timestamp } = object(revision)
    if (revid !== undefined) yield [`rev:${String(page['title'])}`, String(revid)]
    if (timestamp !== undefined)
      yield [`time:${String(page['title'])}`, String(timestamp)]
  }
  const block = object(answer['block'])
  if (block['id'] !== undefined) yield ['block', String(block['id'])]
}

function requestOf(send: Exclude<Sent, { by: 'cookies' | 'restart' }>) {
  switch (send.by) {
    case 'get':
      return {
        method: 'GET',
        target: `/w/api.php?${encoded(send.params)}`,
        headers: {},
        body: undefined
      }
    case 'post': {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return { method: 'POST', target: '/w/api.php', headers, body: encoded(send.params) }
    }
    case 'file': {
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      return {
        method: 'POST',
        target: '/w/api.php',
        headers,
        body: multipart(send.params, send.file)
      }
    }
    case 'path': {
      const headers =
        send.json === undefined ? {} : { 'content-type': 'application/json' }
      return { method: send.method, target: send.target, headers, body: send.json }
    }
  }
}

const encoded = (params: Params): string => new URLSearchParams(params).toString()

const boundary = 'proofofsessions'

function multipart(
  params: Params,
  file: { readonly name: string; readonly bytes: string }
): Buffer {
  const parts = Object.entries(params).map(([name, value]) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    )
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${file.name}"; filename="x.png"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return Buffer.concat([
    ...parts,
    Buffer.from(head),
    Buffer.from(file.bytes, 'base64'),
    Buffer.from(`\r\n--${boundary}--\r\n`)
  ])
}

interface Request {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

/** As `ask`, but a client that gives up closes its connection. */
async function askUntil(
  url: string,
  request: Request,
  signal: AbortSignal | undefined
): Promise<HttpReply> {
  const { method, headers, body } = request
  const sent = body === undefined ? { method, headers } : { method, headers, body }
  if (signal === undefined) return ask(url, sent)
  const answer = await fetch(url, { ...sent, signal })
  const text = await answer.text()
  return { status: answer.status, headers: {}, body: Buffer.from(text), text }
}
