/** The clients: what each is, where it comes from, how its session is started, and as whom it logs in. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { labAccounts } from '../../scripts/wiki/lab.ts'

/**
 * Two kinds are for clients that follow absolute URLs in answers. `proxied`: the client names the wiki itself, and
 * wikitape is its forward proxy. `rewritten`: below `--rewrite-urls`. `kept`: begins with the file of cookies that the
 * client's `write` left, and never logs in.
 */
export type SessionKind = 'read' | 'write' | 'kept' | 'proxied' | 'rewritten'

export interface Client {
  readonly name: string
  readonly language: 'JavaScript' | 'Python' | 'Perl'
  /** The package that carries it, of npm or of Debian; or which version of it the session does as. */
  readonly source:
    | { readonly npm: string }
    | { readonly debian: string }
    | { readonly like: string }
  /** Program and first arguments; the kind of session follows. */
  readonly command: readonly [string, ...string[]]
  readonly kinds: readonly SessionKind[]
  readonly account: { readonly name: string; readonly password: string }
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const session = (file: string): string => path.join(folder, 'sessions', file)
const both = ['read', 'write'] as const
/** Of those that heed the variables for proxies. */
const all = [...both, 'proxied', 'rewritten'] as const

const { admin, bob } = labAccounts

export const clients: readonly Client[] = [
  { ...javaScript('mwn', 'mwn', bob), kinds: all },
  javaScript('m3api', 'm3api', admin),
  javaScript('nodemw', 'nodemw', admin),
  javaScript('mwbot', 'mwbot', admin),
  { ...javaScript('wikijs', 'wikijs', bob), kinds: ['read', 'rewritten'] },
  { ...javaScript('wtf_wikipedia', 'wtf_wikipedia', bob), kinds: ['read'] },
  {
    name: 'mwclient',
    language: 'Python',
    source: { debian: 'python3-mwclient' },
    // Debian's packages are Debian's Python's.
    command: ['/usr/bin/python3', session('mwclient_session.py')],
    kinds: all,
    account: bob
  },
  {
    name: 'MediaWiki::Bot',
    language: 'Perl',
    source: { debian: 'libmediawiki-bot-perl' },
    command: ['/usr/bin/perl', session('mediawiki-bot.pl')],
    kinds: all,
    account: bob
  },
  {
    // The program itself takes minutes and packages that no suite of Debian has.
    name: 'like Pywikibot',
    language: 'Python',
    source: { like: '11.8' },
    command: ['/usr/bin/python3', session('like_pywikibot.py')],
    kinds: [...both, 'kept'],
    account: admin
  }
]

function javaScript(name: string, npm: string, account: Client['account']): Client {
  const command = [process.execPath, session(`${name}.mjs`)] as const
  return { name, language: 'JavaScript', source: { npm }, command, kinds: both, account }
}

/** Installs npm's clients below this folder where they are missing or of another version than wanted. */
export function installClients(): void {
  const { dependencies } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8')
  ) as {
    dependencies: Record<string, string>
  }
  const there = Object.entries(dependencies).every(
    ([name, version]) => npmVersion(name) === version
  )
  if (there) return
  const flags = [
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--ignore-scripts',
    '--silent'
  ]
  execFileSync('npm', ['install', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit']
  })
}

/** @throws Error where it is not installed */
export function versionOf({ source, name }: Client): string {
  if ('like' in source) return source.like
  const version = 'npm' in source ? npmVersion(source.npm) : debianVersion(source.debian)
  if (version !== undefined) return version
  throw new Error(
    'npm' in source
      ? `${name} was not installed below ${folder}`
      : `${name} is missing; install it: apt-get install ${source.debian}`
  )
}

function npmVersion(name: string): string | undefined {
  const file = path.join(folder, 'node_modules', name, 'package.json')
  if (!existsSync(file)) return undefined
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

function debianVersion(name: string): string | undefined {
  try {
    const found = execFileSync('dpkg-query', ['--show', name], {
      stdio: ['ignore', 'pipe', 'ignore']
    })
    // Without Debian's own revision, which changes no line of the client.
    return found
      .toString()
      .trim()
      .split('\t')[1]
      ?.replace(/-[^-]*$/, '')
  } catch {
    return undefined
  }
}
