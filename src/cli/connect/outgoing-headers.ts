/** Who asks: the User-Agent of questions of wikitape's own, and headers that the operator adds. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { userAgentOf } from '../../upstream/user-agent.ts'
import { type Given, type Shell, UsageError } from '../args/command.ts'
import { packageVersion } from '../package-version.ts'

/** @throws UsageError */
export function userAgent(given: Given, shell: Shell): string {
  const whole = given.text('user-agent')
  if (whole !== undefined) return headerValue('--user-agent', whole)
  const contact = contactOf(given, shell)
  return userAgentOf(packageVersion(), contact, process.version)
}

/** Of the operator: flag, then environment, then the project's, then a file of the user's own. @throws UsageError */
export function contactOf(given: Given, shell: Shell): string | undefined {
  const named = given.text('contact') ?? shell.env['WIKITAPE_CONTACT']
  const contact = named || shell.settings?.contact || contactInFile(shell.env)
  return contact === undefined ? undefined : headerValue('the contact', contact.replace(/[()]/g, ''))
}

/** Headers of `--header`, names in lower case. @throws UsageError */
export function addedHeaders(given: Given): ReadonlyMap<string, string> {
  return new Map(
    given.texts('header').map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]{1,100}):(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined)
        throw new UsageError(`--header is "${line.split(':', 1)[0]}"; expected 'Name: value'`)
      return [name.toLowerCase(), headerValue(`--header ${name}`, value.trim())] as const
    }),
  )
}

/** Where a user's own settings lie; an empty variable counts as none. Source: XDG Base Directory Specification; %APPDATA% on Windows */
export function settingsFile(env: Shell['env']): string | undefined {
  const home = env['XDG_CONFIG_HOME'] || env['APPDATA'] || (env['HOME'] && path.join(env['HOME'], '.config'))
  return home === undefined || home === '' ? undefined : path.join(home, 'wikitape', 'config.json')
}

function contactInFile(env: Shell['env']): string | undefined {
  const file = settingsFile(env)
  const text = file === undefined ? undefined : readIfThere(file)
  if (text === undefined) return undefined
  const settings = parsed(text)
  const contact =
    typeof settings === 'object' && settings !== null && 'contact' in settings && settings.contact
  if (typeof contact !== 'string')
    throw new UsageError(`${file} is not what was expected: {"contact": "you@example.org"}`)
  return contact
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What node would refuse to send is told before anything is asked. */
function headerValue(what: string, value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]{1,1000}$/.test(value)) return value
  throw new UsageError(
    `${what} cannot be sent in a header; expected up to 1000 Latin letters, digits and signs`,
  )
}
