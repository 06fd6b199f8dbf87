/** A wiki to write into: a copy of the lab's, with a clock that a file sets, given back as it was within a moment. */
import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LabVersion, labAccounts, wikiAnswering } from '../../wiki/lab.ts'
import { runningClock } from '../../wiki/machine/clock.ts'
import { labOf, wikiPlace } from '../../wiki/machine/place.ts'
import { WikiSession } from '../../wiki/session.ts'

const here = fileURLToPath(new URL('./', import.meta.url))

/** Later than the machine's day, so that no cookie of the wiki has expired for whoever reads it. */
const preparedAt = Date.parse('2027-01-01T00:00:00Z')
const programsAt = Date.parse('2027-01-04T00:00:00Z')

/** Between two steps: longer than whatever a wiki adds to its clock within one. */
export const slot = 60

/** Seconds of the wiki's clock at a step. */
export const clockOf = (at: number): number => programsAt / 1000 + at * slot

/** The step that a time of an answer belongs to, and the seconds after its begin. */
export function stepOf(
  seconds: number
): { readonly at: number; readonly rest: number } | undefined {
  const since = seconds - programsAt / 1000
  if (since < 0 || since > 5_000 * slot) return undefined
  return { at: Math.floor(since / slot), rest: since % slot }
}

export class Wiki {
  readonly version: LabVersion
  readonly #root: string
  readonly #port: number
  /** The address that the wiki thinks it has: that of the gate before it. */
  readonly #server: string
  #child: { readonly pid: number } | undefined

  constructor(
    version: LabVersion,
    folder: string,
    ports: { readonly wiki: number; readonly gate: number }
  ) {
    this.version = version
    this.#root = path.join(folder, version)
    this.#port = ports.wiki
    this.#server = `http://127.0.0.1:${ports.gate}`
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get api(): string {
    return `${this.origin}/w/api.php`
  }

  /** Copies, installs the extensions and writes the first pages, unless that was done. */
  async prepare(fresh: boolean): Promise<void> {
    const ready = path.join(this.#root, 'snapshot', 'ready')
    if (existsSync(ready) && !fresh) return
    rmSync(this.#root, { recursive: true, force: true })
    this.#copy()
    await this.#maintain('update', ['--quick'])
    await this.#accounts()
    this.setClock(preparedAt / 1000)
    await this.start()
    await this.#firstPages()
    await this.stop()
    this.#filter()
    const kept = path.join(this.#root, 'snapshot')
    cpSync(this.#path('data'), path.join(kept, 'data'), { recursive: true })
    cpSync(this.#path('web', 'w', 'images'), path.join(kept, 'images'), {
      recursive: true
    })
    writeFileSync(ready, '')
  }

  async start(): Promise<void> {
    const log = openSync(this.#path('server.log'), 'a')
    const settings = [
      'memory_limit=512M',
      'max_execution_time=120',
      'opcache.enable_cli=1'
    ]
      .concat(['opcache.memory_consumption=192', 'opcache.max_accelerated_files=20000'])
      .concat(['opcache.validate_timestamps=0', 'opcache.file_update_protection=0'])
      .concat(['opcache.jit=tracing', 'opcache.jit_buffer_size=64M'])
      .flatMap((one) => ['-d', one])
    const address = `127.0.0.1:${this.#port}`
    const child = spawn(
      'php',
      [...settings, '-q', '-S', address, '-t', this.#path('web')],
      {
        cwd: this.#path('web'),
        detached: true,
        stdio: ['ignore', log, log],
        env: {
          ...process.env,
          ...(await this.#environment()),
          PHP_CLI_SERVER_WORKERS: '2'
        }
      }
    )
    if (child.pid === undefined) throw new Error('php did not start')
    this.#child = { pid: child.pid }
    for (let tries = 0; tries < 100; tries += 1) {
      if (await wikiAnswering(this.api)) return
      await new Promise((settle) => setTimeout(settle, 200))
    }
    throw new Error(
      `MediaWiki ${this.version} does not answer at ${this.api}: see ${this.#path('server.log')}`
    )
  }

  async stop(): Promise<void> {
    if (this.#child === undefined) return
    try {
      process.kill(-this.#child.pid, 'SIGTERM')
    } catch {}
    this.#child = undefined
    await new Promise((settle) => setTimeout(settle, 300))
  }

  /** Everything as before the first program. @param files whether files were written, which takes longer */
  reset(files: boolean): void {
    this.#giveBack('data', this.#path('data'))
    if (files) this.#giveBack('images', this.#path('web', 'w', 'images'))
    rmSync(this.#path('tmp'), { recursive: true, force: true })
    mkdirSync(this.#path('tmp'))
    rmSync(this.#temporaryAccounts, { force: true })
    this.setClock(clockOf(0))
  }

  allowTemporaryAccounts(): void {
    writeFileSync(this.#temporaryAccounts, '')
  }

  setClock(seconds: number): void {
    const text = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
    writeFileSync(this.#path('clock'), text)
  }

  get #temporaryAccounts(): string {
    return this.#path('web', 'w', 'temporary-accounts')
  }

  #path(...names: readonly string[]): string {
    return path.join(this.#root, ...names)
  }

  #giveBack(kept: string, used: string): void {
    rmSync(used, { recursive: true, force: true })
    execFileSync('cp', ['--archive', this.#path('snapshot', kept), used])
  }

  #copy(): void {
    const from = wikiPlace(labOf('natural', 8100, process.env), this.version)
    if (!existsSync(from.ready))
      throw new Error(`the lab has no wiki: npm run wiki -- up ${this.version}`)
    for (const folder of ['snapshot', 'tmp'])
      mkdirSync(this.#path(folder), { recursive: true })
    execFileSync('cp', ['--archive', '--link', from.web, this.#path('web')])
    for (const name of ['images', 'LocalSettings.php'])
      rmSync(this.#path('web', 'w', name), { recursive: true, force: true })
    cpSync(path.join(from.root, 'pristine', 'images'), this.#path('web', 'w', 'images'), {
      recursive: true
    })
    cpSync(path.join(from.root, 'pristine', 'data'), this.#path('data'), {
      recursive: true
    })
    cpSync(from.cache, this.#path('cache'), { recursive: true })
    cpSync(path.join(from.install, 'LocalSettings.php'), this.#settings)
    execFileSync('sh', [
      '-c',
      'cat "$1" >> "$2"',
      'sh',
      path.join(here, 'settings.php'),
      this.#settings
    ])
    appendFileSync(this.#settings, `\n$wgServer = '${this.#server}';\n`)
  }

  get #settings(): string {
    return this.#path('web', 'w', 'LocalSettings.php')
  }

  /** The clock stands still within a step, so that the same step answers the same. */
  async #environment(): Promise<Readonly<Record<string, string>>> {
    const { FAKETIME: _, ...clock } = await runningClock('2026-01-01 00:00:00')
    return {
      ...clock,
      FAKETIME_TIMESTAMP_FILE: this.#path('clock'),
      FAKETIME_NO_CACHE: '1',
      TMPDIR: this.#path('tmp')
    }
  }

  async #accounts(): Promise<void> {
    const { password, bot } = {
      password: labAccounts.bob.password,
      bot: 'abcdefghijklmnopqrstuv0123456789'
    }
    for (const name of ['Dora', 'Emil'])
      await this.#maintain('createAndPromote', [name, password])
    for (const name of ['Admin', 'Bob']) {
      const grants = name === 'Admin' ? 'basic' : 'basic,editpage,createeditmovepage'
      await this.#maintain('createBotPassword', [
        '--appid',
        'lab',
        '--grants',
        grants,
        name,
        bot
      ])
    }
  }

  async #maintain(script: string, args: readonly string[]): Promise<void> {
    this.setClock(preparedAt / 1000)
    const start =
      this.version === '1.43'
        ? ['maintenance/run.php', script]
        : [`maintenance/${script}.php`]
    const env = {
      ...process.env,
      ...(await this.#environment()),
      MW_INSTALL_PATH: this.#path('web', 'w')
    }
    execFileSync('php', ['-d', 'memory_limit=1G', ...start, ...args], {
      cwd: this.#path('web', 'w'),
      env
    })
  }

  async #firstPages(): Promise<void> {
    const admin = await WikiSession.of(this.api, labAccounts.admin)
    const bob = await WikiSession.of(this.api, labAccounts.bob)
    const dora = await WikiSession.of(this.api, { ...labAccounts.bob, name: 'Dora' })
    let at = 0
    const next = (): void => {
      at += 1
      this.setClock(preparedAt / 1000 + at * slot)
    }
    for (const [title, text] of Object.entries(firstPages)) {
      next()
      await admin.write({ action: 'edit', title, text })
    }
    next()
    await bob.write({ action: 'watch', titles: 'Prove A|User:Bob' }, 'watch')
    await dora.write({ action: 'watch', titles: 'Prove P' }, 'watch')
    next()
    await admin.write({ action: 'edit', title: 'Prove A', appendtext: ' seen' })
    next()
    await admin.write({ action: 'delete', title: 'Prove D' })
    for (const name of ['Prove.png', 'Prove2.png']) {
      next()
      await admin.upload(name, Buffer.from(pixel, 'base64'))
    }
  }

  /** A filter that refuses edits with a word: extensions have no module that makes one. */
  #filter(): void {
    if (!existsSync(this.#path('web', 'w', 'extensions', 'AbuseFilter'))) return
    if (this.version === '1.35') return
    const [names, values] =
      this.version === '1.43'
        ? ['af_actor', '1']
        : ['af_user, af_user_text', "1, 'Admin'"]
    const sql = `INSERT INTO abuse_filter (af_pattern, ${names}, af_timestamp, af_public_comments, af_comments, af_actions)
      VALUES ('added_lines rlike "forbidden"', ${values}, '20270101000000', 'no', '', 'disallow');
      INSERT INTO abuse_filter_action VALUES (1, 'disallow', '');`
    execFileSync('sqlite3', [
      this.#path('data', `wiki${this.version.replace('.', '')}.sqlite`),
      sql
    ])
  }
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const firstPages: Readonly<Record<string, string>> = {
  'Template:Prove T': 'inside [[Category:Prove]]',
  'Prove A': 'alpha {{Prove T}} [[Prove C]]',
  'Prove B': 'beta [[Prove A]]',
  'Prove D': 'to be deleted',
  'Prove P': '{{:Prove A}} {{:Prove B}}',
  'Prove R': '#REDIRECT [[Prove A]]',
  'Prove W': '{{#ifexist:Prove C||{{#ifexist:Prove E|e}}}}',
  'Prove V': '{{#ifexist:Prove C||[[Category:Prove V]]}}',
  'Talk:Prove A':
    '== One ==\nHello. [[User:Admin|Admin]] ([[User talk:Admin|talk]]) 00:00, 1 января 2027 (UTC)\n',
  'Talk:Prove B': 'a talk page',
  'User talk:Bob': 'hello Bob'
}
