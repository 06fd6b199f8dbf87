/** As whom a command without a client asks: anonymously, as a user who logs in, with an OAuth 2 token. */
import type { Identity } from '../../request/api-request.ts'
import { type Invocation, UsageError } from '../args/command.ts'

/** From `--login` and WIKITAPE_BEARER. */
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
    throw new UsageError('both --login and WIKITAPE_BEARER are given; expected one of them')
  const password = call.env['WIKITAPE_PASSWORD'] || (await call.askSecret?.(`Password of ${name}: `))
  if (password === undefined || password === '')
    throw new UsageError(
      `--login ${name} needs a password; put it (or that of a bot, Special:BotPasswords) into WIKITAPE_PASSWORD, or run this at a terminal`,
    )
  return { login: { name, password }, bearer }
}

/** The name under which the cassette stores them; that of a bot password follows the user's own. */
export function identityOf({ login, bearer }: Credentials): Identity {
  if (bearer !== undefined) return 'authorized'
  if (login === undefined) return 'anonymous'
  const user = login.name
    .replace(/@[^@]*$/, '')
    .replaceAll('_', ' ')
    .trim()
  return `user:${user.slice(0, 1).toUpperCase()}${user.slice(1)}`
}
