/** A request as a client sends it, and what comes back. */

/** Who asks: nobody in particular, or one of the lab's accounts. */
export type Caller = 'anonymous' | 'bob' | 'admin'

export interface Ask {
  /** In their order, percent-encoded as they are sent: some values are no UTF-8. */
  readonly entries: readonly (readonly [name: string, encoded: string])[]
  readonly posted: boolean
  /** Names that a POST sends in the address rather than in its body. */
  readonly inAddress?: ReadonlySet<string>
  readonly caller: Caller
  readonly headers?: Readonly<Record<string, string>>
}

export interface Said {
  /** `replayed`, `synthesized`, `miss` …; empty for the wiki itself. */
  readonly status: string
  /** Of the recording, where wikitape answers. */
  readonly key?: string | undefined
  readonly code: number
  readonly type: string
  readonly text: string
}

export type Cookies = ReadonlyMap<Caller, string>

/** As it is, if it is no UTF-8. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const written = (entries: Ask['entries']): string =>
  entries.map(([name, value]) => `${name}=${value}`).join('&')

/** One line that a person can paste. */
export const shown = (ask: Ask): string =>
  [
    ask.posted ? 'POST' : 'GET',
    ask.entries
      .map(
        ([name, value]) =>
          `${ask.posted && ask.inAddress?.has(name) ? '?' : ''}${name}=${decoded(value)}`
      )
      .join('&'),
    ask.caller === 'anonymous' ? '' : `as ${ask.caller}`,
    ...Object.entries(ask.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  ]
    .filter((part) => part !== '')
    .join(' ')

/** @param cookies of the callers at that address */
export async function sendTo(api: string, ask: Ask, cookies: Cookies): Promise<Said> {
  const isAddressed = ([name]: readonly [string, string]): boolean =>
    !ask.posted || ask.inAddress?.has(name) === true
  const address = written(ask.entries.filter(isAddressed))
  const body = written(ask.entries.filter((one) => !isAddressed(one)))
  const cookie = cookies.get(ask.caller)
  const headers = { ...ask.headers, ...(cookie === undefined ? {} : { cookie }) }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const once = async (): Promise<Said> => {
    const answer = await fetch(address === '' ? api : `${api}?${address}`, {
      redirect: 'manual',
      ...(ask.posted
        ? { method: 'POST', body, headers: { ...headers, ...form } }
        : { headers })
    })
    return {
      status: answer.headers.get('x-cassette-status') ?? '',
      key: answer.headers.get('x-cassette-key') ?? undefined,
      code: answer.status,
      type: answer.headers.get('content-type') ?? '',
      text: await answer.text()
    }
  }
  // PHP's server may close a kept connection just as it is used again, and another one on a busy machine.
  return once()
    .catch(once)
    .catch(once)
    .catch((error: unknown) => {
      process.stderr.write(
        `no whole answer of ${api} to ${shown(ask)}: ${String(error)}\n`
      )
      return { status: 'cut', code: 0, type: '', text: '' }
    })
}

interface Account {
  readonly name: string
  readonly password: string
}

/** The cookies of a login, as one header. @throws Error if the account is not let in */
export async function logIn(api: string, { name, password }: Account): Promise<string> {
  const jar = new Map<string, string>()
  const post = async (params: Readonly<Record<string, string>>): Promise<unknown> => {
    const answer = await fetch(api, {
      method: 'POST',
      headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') },
      body: new URLSearchParams({ ...params, format: 'json', formatversion: '2' })
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(key, value)
    }
    return answer.json()
  }
  const token = /"logintoken":"([^"]*)"/.exec(
    JSON.stringify(await post({ action: 'query', meta: 'tokens', type: 'login' }))
  )
  const lgtoken = (token?.[1] ?? '').replaceAll('\\\\', '\\')
  const answer = JSON.stringify(
    await post({ action: 'login', lgname: name, lgpassword: password, lgtoken })
  )
  if (!answer.includes('"Success"'))
    throw new Error(`${name} is not let in: ${answer.slice(0, 300)}`)
  return [...jar].map(([key, value]) => `${key}=${value}`).join('; ')
}
