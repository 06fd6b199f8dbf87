/** What people and administrators do on a wiki of the lab, one deed each, for `scripts/false-alarms.ts`. */
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseName } from '../wiki/build/pristine.ts'
import { type LabVersion, labPortBase, labUrl, wikiAnswering } from '../wiki/lab.ts'
import { run } from '../wiki/machine/command.ts'
import { labOf, type WikiPlace, wikiPlace } from '../wiki/machine/place.ts'
import { startServer, stopServer, waitForAnswer } from '../wiki/machine/server.ts'
import type { WikiSession } from '../wiki/session.ts'

export interface Deed {
  readonly name: string
  /** @returns where to ask afterwards; undefined for the wiki itself, `absent` where the deed cannot be done here */
  readonly done: (wiki: WikiSession, version: LabVersion) => Promise<string | undefined>
  /** The wiki is configured otherwise afterwards, which has to be told as such. */
  readonly configures?: true
}

/** Where there is nothing to ask. */
export const absent = 'absent'

export const placeOf = (version: LabVersion): WikiPlace =>
  wikiPlace(labOf('natural', labPortBase(), process.env), version)

/** Stops the wiki's server and starts it again. @param now of its clock */
export async function restart(version: LabVersion, now?: string): Promise<void> {
  const place = placeOf(version)
  await stopServer(place)
  await startServer(place, now)
  await waitForAnswer(place)
}

type Params = Readonly<Record<string, string>>
const writes = (name: string, ...all: readonly Params[]): Deed => ({
  name,
  done: async (wiki) => {
    for (const params of all)
      await (params['action'] === 'createaccount'
        ? wiki.write(params, 'createaccount')
        : wiki.write(params))
    return undefined
  }
})

/** Other settings, until `restoreSettings`. */
const configures = (name: string, change: (settings: string) => string): Deed => ({
  name,
  configures: true,
  done: async (_, version) => {
    const { used, original } = settingsOf(version)
    const settings = await readFile(used, 'utf8')
    await writeFile(original, settings)
    await writeFile(used, change(settings))
    await restart(version)
    return undefined
  }
})
const adds = (name: string, ...lines: readonly string[]): Deed =>
  configures(name, (settings) => `${settings}\n${lines.join('\n')}\n`)

const settingsOf = (
  version: LabVersion
): { readonly used: string; readonly original: string } => {
  const used = join(placeOf(version).install, 'LocalSettings.php')
  return { used, original: `${used}.original` }
}

/** Takes back what was configured otherwise. */
export async function restoreSettings(version: LabVersion): Promise<void> {
  const { used, original } = settingsOf(version)
  if (existsSync(original)) await rename(original, used)
}

/** The smallest picture that is none of the lab's: another shade each time. */
const picture = (shade: number): Uint8Array =>
  Buffer.from(
    `47494638396101000100800000${shade.toString(16).padStart(2, '0')}0909ffffff2c00000000010001000002024401003b`,
    'hex'
  )

const uploads = (name: string, file: string): Deed => ({
  name,
  done: async (wiki) => {
    await wiki.upload(file, picture(file.length))
    return undefined
  }
})

const edited =
  '\n== Ещё ==\n[[Груша]] [[Файл:Map 07.png]] [[Категория:Новая]] https://example.org/'
const account = {
  username: 'Новенький',
  password: 'Abc-12345-xyz',
  retype: 'Abc-12345-xyz'
}

const moves: readonly Params[] = [
  { action: 'move', from: 'Волга', to: 'Волга (река)', noredirect: '1' },
  { action: 'move', from: 'Волга (река)', to: 'Волга' }
]
/** What people do, which is never to be told. */
const edits: readonly Deed[] = [
  writes('an edit', { action: 'edit', title: 'Абрикос', appendtext: edited }),
  writes('a redirect made', {
    action: 'edit',
    title: 'Ёлка',
    text: '#REDIRECT [[Волга]]'
  }),
  writes('an edit of a template', {
    action: 'edit',
    title: 'Шаблон:Box B',
    prependtext: '<div class="x">!</div>'
  }),
  writes('a page made', { action: 'edit', title: 'Груша', text: 'Страница, [[Волга]]' }),
  {
    name: 'a hundred edits elsewhere',
    done: async (wiki) => {
      for (let at = 0; at < 100; at += 1)
        await wiki.write({
          action: 'edit',
          title: `Новая ${at}`,
          text: `${at}, [[Волга]], {{PAGENAME}}`
        })
      return undefined
    }
  },
  writes('a deletion', { action: 'delete', title: 'Alpha' }),
  writes('a move', { action: 'move', from: 'Hub 00', to: 'Узловая' }),
  writes('a protection', {
    action: 'protect',
    title: 'Волга',
    protections: 'edit=sysop'
  }),
  writes('a block', { action: 'block', user: 'Bob', expiry: '1 month', reason: 'test' }),
  writes('a new user', {
    action: 'createaccount',
    ...account,
    createreturnurl: 'http://127.0.0.1/'
  }),
  uploads('an upload', 'Новый.gif'),
  writes('a redirect deleted', { action: 'delete', title: 'Hub 02' }),
  writes('a redirect aimed elsewhere', {
    action: 'edit',
    title: 'Hub 04',
    text: '#REDIRECT [[Ока]]'
  }),
  writes('a page moved and moved back', ...moves),
  writes(
    'a page deleted and restored',
    { action: 'delete', title: 'Волга' },
    { action: 'undelete', title: 'Волга' }
  )
]

/** The wiki's clock goes on, and old recent changes are purged meanwhile, as its jobs do. */
async function later(version: LabVersion): Promise<undefined> {
  const place = placeOf(version)
  await stopServer(place)
  const purge = `(new SQLite3($argv[1]))->exec("DELETE FROM recentchanges WHERE rc_timestamp < '20251220000000'");`
  await run('php', ['-r', purge, join(place.data, `${databaseName(version)}.sqlite`)], {
    advice: 'It needs php8.2-sqlite3.'
  })
  await restart(version, '2026-02-15 00:00:00')
}

export const deeds: readonly Deed[] = [
  { name: 'nothing', done: async () => undefined },
  ...edits,
  writes('the page of a generator deleted', { action: 'delete', title: 'Абрикос' }),
  {
    name: 'a restart',
    done: async (_, version) => {
      await restart(version)
      return undefined
    }
  },
  {
    name: 'another host',
    done: async (_, version) => labUrl(version).replace('127.0.0.1', 'localhost')
  },
  {
    name: 'the same pages imported in reverse',
    done: async (_, version) => {
      const url = labUrl(version, labPortBase('reversed'))
      return (await wikiAnswering(url)) === undefined ? absent : url
    }
  },
  { name: '45 days later', done: (_, version) => later(version) },
  adds('a skin more', "wfLoadSkin( 'MonoBook' );"),
  adds('another skin', "wfLoadSkin( 'Timeless' ); $wgDefaultSkin = 'timeless';"),
  adds('an extension more', "wfLoadExtension( 'Poem' );"),
  configures('two extensions fewer', (settings) =>
    settings.replace(/'(?:Cite|ParserFunctions)', /g, '')
  ),
  adds(
    'a namespace and a group more',
    "$wgExtraNamespaces += [ 3000 => 'Черта', 3001 => 'Обсуждение_черты' ];",
    "$wgGroupPermissions['helper']['rollback'] = true;"
  ),
  {
    name: 'all edits at once, under another host',
    done: async (wiki, version) => {
      for (const { done } of edits) await done(wiki, version)
      return labUrl(version).replace('127.0.0.1', 'localhost')
    }
  }
]
