/** Calls of the lab's own scripts: plain GETs, and a login for the listings that need rights. */
import type { LabAccount } from '../lab.ts'

export interface Session {
  readonly apiUrl: string
  readonly cookies: ReadonlyMap<string, string>
}

export interface Reply {
  readonly status: number
  readonly body: string
}

function cookieHeader(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

function withNewCookies(session: Session, response: Response): Session {
  const cookies = new Map(session.cookies)
  for (const line of response.headers.getSetCookie()) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
    cookies.set(name, value)
  }
  return { ...session, cookies }
}

export async function call(session: Session, query: string): Promise<Reply> {
  const response = await fetch(`${session.apiUrl}?${query}`, {
    headers: { cookie: cookieHeader(session.cookies) },
  })
  return { status: response.status, body: await response.text() }
}

export async function logIn(apiUrl: string, account: LabAccount): Promise<Session> {
  const first: Session = { apiUrl, cookies: new Map() }
  const asked = await fetch(`${apiUrl}?action=query&meta=tokens&type=login&format=json`)
  const token = /"logintoken":"([^"]+)"/.exec(await asked.text())?.[1]?.replaceAll('\\\\', '\\') ?? ''
  const session = withNewCookies(first, asked)
  const answer = await fetch(apiUrl, {
    method: 'POST',
    headers: { cookie: cookieHeader(session.cookies) },
    body: new URLSearchParams({
      action: 'login',
      lgname: account.name,
      lgpassword: account.password,
      lgtoken: token,
      format: 'json',
    }),
  })
  const body = await answer.text()
  if (!body.includes('"result":"Success"'))
    throw new Error(`${apiUrl}: no login as ${account.name}: ${body.slice(0, 300)}`)
  return withNewCookies(session, answer)
}
