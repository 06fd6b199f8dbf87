/** What people and administrators do on a wiki of the lab, one deed each, for `scripts/false-alarms.ts`. */
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applySteps, maintain } from '../wiki/build/build.ts'
import { databaseName } from '../wiki/build/pristine.ts'
import { admin, bob } from '../wiki/content/people.ts'
import type { Step } from '../wiki/content/step.ts'
import {
  type LabVersion,
  labAccounts,
  labPortBase,
  labUrl,
  wikiAnswering
} from '../wiki/lab.ts'
import { builtAt } from '../wiki/machine/clock.ts'
import { run } from '../wiki/machine/command.ts'
import { labOf, type WikiPlace, wikiPlace } from '../wiki/machine/place.ts'
import { startServer, stopServer, waitForAnswer } from '../wiki/machine/server.ts'
import { WikiSession } from '../wiki/session.ts'

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
/** Modules with a token of their own. */
const tokens: Params = { createaccount: 'createaccount', userrights: 'userrights' }
const writes = (name: string, ...all: readonly Params[]): Deed => ({
  name,
  done: async (wiki) => {
    for (const params of all) await wiki.write(params, tokens[params['action'] ?? ''])
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
/** Only those who suppress may hide; not who asks, whose own rights would be others. */
const hides = (name: string, type: string, ids: string, hide: string): Deed => ({
  name,
  done: async (wiki, version) => {
    await wiki.write(
      { action: 'userrights', user: labAccounts.bot.name, add: 'suppress' },
      'userrights'
    )
    const session = await WikiSession.of(labUrl(version), labAccounts.bot)
    const target = type === 'revision' ? { target: 'Волга' } : {}
    await session.write({ action: 'revisiondelete', type, ids, hide, ...target })
    return undefined
  }
})

/** A step of the lab's content, done by PHP itself. */
const steps = (name: string, step: Step): Deed => ({
  name,
  done: async (_, version) => {
    const place = placeOf(version)
    const file = join(place.temporary, 'step.jsonl')
    await writeFile(file, `${JSON.stringify(step)}\n`)
    await applySteps(place, file)
    return undefined
  }
})

/** Two revisions of a page that is here already, and a page with three of its own. */
const exported = (): string => {
  const revision = (time: string, text: string): string =>
    `<revision><timestamp>${time}</timestamp><contributor><username>Импортёр</username></contributor><comment>раньше</comment><model>wikitext</model><format>text/x-wiki</format><text>${text}</text></revision>`
  const page = (title: string, ...revisions: readonly string[]): string =>
    `<page><title>${title}</title><ns>0</ns>${revisions.join('')}</page>`
  const times = ['2019-05-01T10:00:00Z', '2020-05-01T10:00:00Z', '2021-05-01T10:00:00Z']
  const all = times.map((time, at) => revision(time, `Старый текст ${at}. [[Волга]]`))
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="ru">${page('Волга', ...all.slice(0, 2))}${page('Привезённая', ...all)}</mediawiki>`
}

const template = {
  action: 'edit',
  title: 'Шаблон:Общий',
  text: '[[Абрикос]] [[Категория:Города]]'
}

/** Fifty pages that include a template, which changes then; the links of pages follow when the wiki's jobs run. */
const fiftyPages = (
  name: string,
  then: (version: LabVersion) => Promise<void>
): Deed => ({
  name,
  done: async (wiki, version) => {
    await wiki.write(template)
    for (let at = 0; at < 50; at += 1)
      await wiki.write({
        action: 'edit',
        title: at === 0 ? 'Волга' : `По шаблону ${at}`,
        appendtext: '{{Общий}}'
      })
    await wiki.write({ ...template, text: '[[Ёлка]] [[Категория:Реки]]' })
    await then(version)
    return undefined
  }
})

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
  ),
  hides('a revision hidden', 'revision', '13', 'comment|user'),
  hides('a text hidden', 'revision', '5', 'content'),
  hides('a row of the log hidden', 'logging', '830', 'content|comment|user'),
  hides('the target of a row hidden', 'logging', '829', 'content'),
  writes('a group given', { action: 'userrights', user: bob, add: 'bot' }),
  writes('a block lifted', { action: 'unblock', user: 'Вандал 01' }),
  writes('a category of another name', {
    action: 'move',
    from: 'Категория:Реки',
    to: 'Категория:Реки мира'
  }),
  writes('one of two pages asked by number moved', {
    action: 'move',
    from: 'Ёлка',
    to: 'Ель',
    noredirect: '1'
  }),
  writes('a tag made', { action: 'managetags', operation: 'create', tag: 'проверено' }),
  uploads('a file of another content', 'Map 07.png'),
  {
    name: 'pages imported with their history',
    done: async (wiki) => {
      await wiki.import(exported())
      return undefined
    }
  },
  steps('a user renamed', {
    kind: 'rename',
    at: builtAt,
    as: admin,
    from: bob,
    to: 'Боб'
  }),
  fiftyPages('fifty pages by one template, jobs wait', async () => undefined),
  // With a clock that runs: numbers that MediaWiki makes of the time wait for the next moment.
  fiftyPages('fifty pages by one template, jobs ran', (version) =>
    maintain(placeOf(version), 'runJobs', [], '@2026-01-01 01:00:00')
  )
]

/** The wiki's clock goes on, and old recent changes are purged meanwhile, as its jobs do. */
async function later(version: LabVersion, now: string): Promise<undefined> {
  const place = placeOf(version)
  await stopServer(place)
  const purge = `(new SQLite3($argv[1]))->exec("DELETE FROM recentchanges WHERE rc_timestamp < '20251220000000'");`
  await run('php', ['-r', purge, join(place.data, `${databaseName(version)}.sqlite`)], {
    advice: 'It needs php8.2-sqlite3.'
  })
  await restart(version, now)
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
  { name: 'the next day', done: (_, version) => later(version, '2026-01-02 08:00:00') },
  { name: '45 days later', done: (_, version) => later(version, '2026-02-15 00:00:00') },
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
    name: 'a row of the log hidden, and an extension more',
    configures: true,
    done: async (wiki, version) => {
      await hides('', 'logging', '830', 'content|comment|user').done(wiki, version)
      return adds('', "wfLoadExtension( 'Poem' );").done(wiki, version)
    }
  },
  {
    name: 'all edits at once, under another host',
    done: async (wiki, version) => {
      for (const { done } of edits) await done(wiki, version)
      return labUrl(version).replace('127.0.0.1', 'localhost')
    }
  }
]
