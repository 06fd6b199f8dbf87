/** The User-Agent of wikitape's own requests, the headers of `--header`, credentials. Each reader throws UsageError. */
import path from 'node:path'
import { isPlainObject, tryParsePlain } from '../../json/plain-json.ts'
import type { Identity } from '../../request/api-request.ts'
import { readText } from '../../store/files/whole-files.ts'
import { type Invocation, orUsageError, UsageError } from '../args/command.ts'
import { packageVersion } from '../package-version.ts'

/** As public wikis demand it: https://w.wiki/4wJS (robot policy), https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy */
export function readUserAgent(call: Invocation): string {
  const whole = call.value('user-agent')
  if (whole !== undefined) return headerValue('--user-agent', whole)
  const contact = readContact(call)
  const owner = contact === undefined ? '' : ` (${contact})`
  return `wikitape/${packageVersion()}${owner} node/${process.version.replace(/^v/, '')}`
}

/** Flag, then environment, then the project's settings, then the user's. */
export function readContact(call: Invocation): string | undefined {
  const named = call.value('contact') ?? call.env['WIKITAPE_CONTACT']
  const contact = named || call.settings?.contact || contactInFile(call.env)
  return contact === undefined ? undefined : headerValue('the contact', contact.replace(/[()]/g, ''))
}

/** Headers of `--header`, names in lower case. */
export function operatorHeaders(call: Invocation): ReadonlyMap<string, string> {
  return new Map(
    call.values('header').map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]{1,100}):(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined)
        throw new UsageError(`--header is "${line.split(':', 1)[0]}"; expected 'Name: value'`)
      return [name.toLowerCase(), headerValue(`--header ${name}`, value.trim())] as const
    }),
  )
}

/** From the user's own settings. Source: XDG Base Directory Specification; %APPDATA% on Windows. */
function contactInFile(env: Invocation['env']): string | undefined {
  const home = env['XDG_CONFIG_HOME'] || env['APPDATA'] || (env['HOME'] && path.join(env['HOME'], '.config'))
  const file = home ? path.join(home, 'wikitape', 'config.json') : undefined
  const text = file && orUsageError(`cannot read ${file}`, () => readText(file))
  if (text === undefined) return undefined
  const settings = tryParsePlain(text)
  const contact = isPlainObject(settings) ? settings['contact'] : undefined
  if (typeof contact !== 'string')
    throw new UsageError(`${file} is not what was expected: {"contact": "you@example.org"}`)
  return contact
}

/** @throws UsageError for what Node.js would refuse to send. */
function headerValue(what: string, value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]{1,1000}$/.test(value)) return value
  throw new UsageError(
    `${what} cannot be sent in a header; expected up to 1000 Latin letters, digits and signs`,
  )
}

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
