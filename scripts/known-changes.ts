/**
 * What wikis show of every change that the release notes name (`test/drift/known-changes/changes.ts`).
 *
 * `npx tsx scripts/known-changes.ts --record` asks the lab's wikis, as Admin and as a bot that edits: it wants a lab to
 * write to. `WIKITAPE_GOLDEN=FOLDER` has what a 1.25.4 said; without it what is kept of 1.25 stays.
 * `--notes` looks each change up in the release notes that the lab's packages bring, those that `diff` names causes by
 * too, and writes docs/known-changes.md.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { KnownChange } from '../src/drift/releases/known-changes.ts'
import { dataFile } from '../src/recorder/knowledge/data-file.ts'
import {
  type ApiChange,
  apiChanges,
  recordedKey,
  type Shown,
  type Version
} from '../test/drift/known-changes/changes.ts'
import { type LabVersion, labAccounts, labUrl, labVersions } from './wiki/lab.ts'
import { WikiSession } from './wiki/session.ts'

type Json = Readonly<Record<string, unknown>>
interface Recorded {
  readonly modules: Partial<Record<Version, Readonly<Record<string, unknown>>>>
  readonly answers: Partial<Record<Version, Readonly<Record<string, unknown>>>>
}

/** Every change that causes are named by. */
const { changes: knownChanges } = dataFile('known-changes') as {
  readonly changes: readonly KnownChange[]
}

const file = 'test/drift/known-changes/recorded.json'
const kept = (): Recorded => JSON.parse(readFileSync(file, 'utf8')) as Recorded
const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const shown: readonly Shown[] = apiChanges.flatMap(({ shown }) =>
  typeof shown === 'string' ? [] : [shown]
)
const of = (version: Version): readonly Shown[] =>
  shown.filter(({ between }) => between.includes(version))

/** Parameters that matter, by module. */
function wantedModules(version: Version): ReadonlyMap<string, ReadonlySet<string>> {
  const wanted = new Map<string, Set<string>>()
  for (const text of of(version).flatMap(({ modules = [] }) => modules)) {
    const [module = '', ...params] = text.split(' ')
    const known = wanted.get(module) ?? new Set()
    wanted.set(module, known)
    for (const param of params) if (param !== '!') known.add(param)
  }
  return wanted
}

/** A description cut down to these parameters, and to what `diff` compares. */
function cutModule(module: Json, params: ReadonlySet<string>): Json {
  const flags = [
    'path',
    'name',
    'prefix',
    'deprecated',
    'mustbeposted',
    'readrights',
    'writerights'
  ]
  const rest = Object.entries(module).filter(([name]) => flags.includes(name))
  const cut = (name: string): readonly Json[] =>
    list(module[name])
      .map(object)
      .filter((one) => params.has(String(one['name'])))
      .map((one) =>
        Object.fromEntries(
          Object.entries(one).filter(([key]) => key !== 'index' && key !== 'submodules')
        )
      )
  const templated = cut('templatedparameters')
  return {
    ...Object.fromEntries(rest),
    parameters: cut('parameters'),
    ...(templated.length === 0 ? {} : { templatedparameters: templated })
  }
}

const cutAll = (
  modules: readonly Json[],
  version: Version
): Readonly<Record<string, unknown>> => {
  const wanted = wantedModules(version)
  const cut = modules.flatMap((one) => {
    const params = wanted.get(String(one['path']))
    return params === undefined
      ? []
      : [[String(one['path']), cutModule(one, params)] as const]
  })
  return Object.fromEntries(cut.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A client as the change wants it. */
async function clientAs(as: Shown['as'], version: LabVersion): Promise<WikiSession> {
  const api = labUrl(version)
  const { admin, bot, bob } = labAccounts
  switch (as) {
    case undefined:
      return new WikiSession(api)
    case 'Admin':
      return WikiSession.of(api, admin)
    case 'a bot after an edit': {
      const session = await WikiSession.of(api, bot)
      await session.write({
        action: 'edit',
        title: 'Волга',
        appendtext: '\nЕщё.',
        bot: '1'
      })
      return session
    }
    case 'a user of before 2005':
      forgetRegistration(version, bob.name)
      return WikiSession.of(api, bob)
  }
}

/** Accounts of before December 2005 have no day of registration; none of the lab's is so old. */
function forgetRegistration(version: LabVersion, name: string): void {
  const lab = process.env['WIKITAPE_LAB']
  if (lab === undefined) throw new Error('WIKITAPE_LAB has to name a lab to write to')
  const database = path.join(
    lab,
    version,
    'data',
    `wiki${version.replace('.', '')}.sqlite`
  )
  const statement = `UPDATE user SET user_registration = NULL WHERE user_name = '${name}'`
  execFileSync('php', ['-r', `(new PDO('sqlite:${database}'))->exec("${statement}");`])
}

/** Tokens are secrets, also a laboratory's. */
const withoutTokens = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body).replace(/[0-9a-f]{40}\+\\\\/g, `${'0'.repeat(40)}+\\\\`)
  )

async function recordLab(version: LabVersion): Promise<readonly [Json, Json]> {
  const client = new WikiSession(labUrl(version))
  const paths = [...wantedModules(version).keys()]
  const modules: Json[] = []
  for (let at = 0; at < paths.length; at += 50) {
    const some = paths.slice(at, at + 50).join('|')
    const answer = await client.get(
      `action=paraminfo&modules=${some}&helpformat=none&format=json&formatversion=2`
    )
    modules.push(...list(object(answer['paraminfo'])['modules']).map(object))
  }
  const answers: Record<string, unknown> = {}
  for (const { asked, as } of of(version)) {
    if (asked === undefined) continue
    const query = asked.includes('format=') ? asked : `${asked}&format=json`
    answers[recordedKey(asked, as)] = withoutTokens(
      await (await clientAs(as, version)).get(query)
    )
  }
  return [cutAll(modules, version), answers]
}

/** What the 1.25.4 said; undefined where nobody has it. */
function readGolden(): readonly [Json, Json] | undefined {
  const folder = process.env['WIKITAPE_GOLDEN']
  if (folder === undefined) return undefined
  const lines = (name: string): readonly Json[] =>
    gunzipSync(readFileSync(path.join(folder, `mw-1.25.4.${name}.ndjson.gz`)))
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => object(JSON.parse(line)))
  const modules = lines('self').flatMap(({ kind, module }) =>
    kind === 'paraminfo' ? [object(module)] : []
  )
  const asked = new Set(of('1.25').flatMap(({ asked: one }) => one ?? []))
  const answers = lines('seed-calls').flatMap(({ q, body }) => {
    const query = decodeURIComponent(String(q))
    if (!asked.has(query)) return []
    const { debuginfo: _, ...rest } = object(JSON.parse(String(body)))
    return [[query, rest] as const]
  })
  return [cutAll(modules, '1.25'), Object.fromEntries(answers)]
}

async function record(): Promise<void> {
  const modules: Record<string, unknown> = {}
  const answers: Record<string, unknown> = {}
  const golden = readGolden()
  modules['1.25'] = golden?.[0] ?? kept().modules['1.25']
  answers['1.25'] = golden?.[1] ?? kept().answers['1.25']
  for (const version of labVersions)
    [modules[version], answers[version]] = await recordLab(version)
  writeFileSync(file, `${JSON.stringify({ modules, answers }, null, 1)}\n`)
}

/** A paragraph of the notes, with the release whose section it stands in. */
interface NotesLine {
  readonly release: string
  /** Whether the section is the one on the API. */
  readonly ofApi: boolean
  readonly where: string
  readonly text: string
}

/** The notes that the newest package brings. */
function readNotes(): readonly NotesLine[] {
  const folder = path.join(process.env['WIKITAPE_LAB'] ?? '.lab', 'packages', '1.43')
  const [name = ''] = readdirSync(folder).filter((one) => one.startsWith('mediawiki_'))
  const tar = execFileSync('dpkg-deb', ['--fsys-tarfile', path.join(folder, name)], {
    maxBuffer: 2 ** 30
  })
  return ['RELEASE-NOTES-1.43', 'changelog'].flatMap((one) => {
    const args = ['-xO', `./usr/share/doc/mediawiki/${one}.gz`]
    const text = gunzipSync(
      execFileSync('tar', args, { input: tar, maxBuffer: 2 ** 28 })
    ).toString('utf8')
    return paragraphs(text, one === 'changelog' ? 'HISTORY' : one)
  })
}

/** Each with the number of its first line. */
function paragraphs(text: string, name: string): readonly NotesLine[] {
  const found: NotesLine[] = []
  let release = ''
  let ofApi = false
  for (const [at, line] of text.split('\n').entries()) {
    const heading = /^=+ *(.*?) *=+ *$/.exec(line)?.[1]
    if (heading !== undefined) {
      release = /(?:in|MediaWiki) (1\.\d+)/.exec(heading)?.[1] ?? release
      ofApi = /\bAPI changes in\b/.test(heading)
    }
    const last = found.at(-1)
    if (heading !== undefined || line.trim() === '') continue
    if (/^\s*[*-]/.test(line) || last === undefined)
      found.push({ release, ofApi, where: `${name}:${at + 1}`, text: line.trim() })
    else found[found.length - 1] = { ...last, text: `${last.text} ${line.trim()}` }
  }
  return found
}

const lineFor = (
  change: { release: string; notes: RegExp | undefined },
  lines: readonly NotesLine[]
): string =>
  lines.find(
    ({ release, ofApi, text }) =>
      ofApi && release === change.release && change.notes?.test(text) === true
  )?.where ?? 'none'

function seenIn({ shown }: ApiChange): string {
  if (typeof shown === 'string') return shown
  const { between, modules = [], asked, as } = shown
  const by =
    asked ?? `what it says of ${modules.map((one) => one.split(' ')[0]).join(', ')}`
  return `${between.join(' → ')}: \`${by}\`${as === undefined ? '' : `, as ${as}`}`
}

/** Words of the line that a cause stands in; causes that are not here were found between two wikis. */
const causeNotes: Readonly<Record<string, RegExp>> = {
  '"continue" is the default form of continuation':
    /New-style continuation is now the default/,
  'the formats dump and wddx, then dbg, txt and yaml were removed':
    /formats dbg, txt, and yaml have been removed/,
  'the displayname of a tag may be false': /displayname can now be boolean false/,
  'revisions are enumerated by time': /enum mode is now sorted by timestamp/,
  'createaccount works through AuthManager':
    /createaccount is changed in a non-backwards-compatible/,
  'upload lost statuskey, asyncdownload and leavemessage':
    /no longer understands statuskey/,
  'the answer to login lost lgtoken, cookieprefix and sessionid': /now removed: lgtoken/,
  'parse lost modulemessages': /'modulemessages' from action=parse/,
  'tokens and passwords are refused in the query string': /query string is now an error/,
  'purge and clearhasmsg need POST': /purge now requires a POST/,
  'a parameter that is missing is named with its prefix':
    /'missingparam' errors will now use the prefixed/,
  'error codes lost their prefix': /will no longer be prefixed/,
  'errors and warnings come in other forms (errorformat)': /'errorformat', 'errorlang'/,
  'errors of a moved talk page are an array': /'talkmove-errors', rather than/,
  'watch and rollback lost their messages for people':
    /no longer returns a "messageHtml"/,
  'parsed text is wrapped in div.mw-parser-output': /class="mw-parser-output" by default/,
  'tgprop=name was removed': /'name' value to tgprop/,
  'move lost watch and unwatch': /'watch' and 'unwatch' parameters for action=move/,
  'more values than the limit are an error': /error to submit too many values/,
  'revisions are asked for by slot': /now takes a 'rvslots' parameter/,
  'compare takes its texts by slot': /has a 'slots' parameter to select diffing/,
  'bots no longer watch what they edit': /'bot' right no longer have pages automatically/,
  'logout needs a POST with a csrf token': /logout now requires to be posted/,
  'allusers lost recenteditcount': /'recenteditcount' response property/,
  'what is not known of a missing file is left out':
    /indicated by the 'filemissing' field/,
  'expiries of users are ISO 8601 or "infinite"': /'blockexpiry' result property/,
  'numbers must be whole numbers': /Integer-type parameters are now validated/,
  'login without its session says Failed': /Failed rather than NeedToken/,
  'the old token parameters and action=tokens were removed':
    /methods for fetching tokens which were deprecated/,
  'tags say "software" where they said "extension"': /"software" in the "source" array/,
  'the right writeapi was removed': /'writeapi' userright/,
  'media are figure[typeof^="mw:File"]':
    /\$wgParserEnableLegacyMediaDOM – This setting has been changed/,
  'the day of registration may be null': /null in the field registrationdate/
}

function writeTable(): void {
  const notes = readNotes()
  const cell = (text: string): string => text.replaceAll('|', '\\|')
  const scored = apiChanges.map((change) => {
    const told = change.told.map((one) => `\`${one.trim()}\``).join(', ')
    const cells = [
      change.release,
      change.module,
      change.what,
      change.breaks ? 'yes' : '',
      lineFor(change, notes),
      seenIn(change),
      told
    ]
    return `| ${cells.map(cell).join(' | ')} |`
  })
  const causes = knownChanges.map(({ since, what }) => {
    const told = causeNotes[what]
    const found =
      told === undefined ? undefined : notes.find(({ text }) => told.test(text))
    if (told !== undefined && found === undefined)
      throw new Error(`no line of the notes has ${told}: ${what}`)
    const line =
      found === undefined
        ? since === '1.45'
          ? 'none: newer than the notes at hand'
          : 'none: seen between the two versions'
        : `${found.where} (${found.release})`
    return `| ${since} | ${cell(what)} | ${line} |`
  })
  const strange = Object.keys(causeNotes).filter(
    (what) => !knownChanges.some((one) => one.what === what)
  )
  if (strange.length > 0) throw new Error(`no such cause: ${strange.join('; ')}`)
  const page = 'docs/known-changes.md'
  const text = readFileSync(page, 'utf8')
  const filled = fill(
    fill(text, 'score', [
      '| release | module | change | breaks | notes | seen in | reported |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...scored
    ]),
    'causes',
    ['| since | cause | line of the notes |', '| --- | --- | --- |', ...causes]
  )
  writeFileSync(page, filled)
}

const fill = (text: string, name: string, lines: readonly string[]): string =>
  text.replace(
    new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(<!-- end of ${name} -->)`),
    (_, begin: string, end: string) => `${begin}\n${lines.join('\n')}\n\n${end}`
  )

if (process.argv.includes('--record')) await record()
else if (process.argv.includes('--notes')) writeTable()
else {
  console.error('expected --record or --notes')
  process.exitCode = 2
}
