/**
 * Secrets and what looks like one, on real wikis: what people wrote comes back as it is in every format, and nothing of what a
 * wiki tells a user who is logged in is on the disk, in whatever encoding. Reads only, but for the logins.
 */
import { describe, expect, it } from 'vitest'
import {
  type LabVersion,
  labAccounts,
  labUrl,
  labVersions
} from '../../scripts/wiki/lab.ts'
import { entryLine } from '../../src/recorder/engine/request-log.ts'
import { ask, type HttpReply, post } from '../helpers/http-client.ts'
import { writtenPairs } from '../helpers/looks-secret.ts'
import { encodings, traces, writtenIn } from '../helpers/needles.ts'
import { type RunningProxy, startProxy } from '../helpers/proxies.ts'
import { Client } from '../helpers/stateful-wiki.ts'

const plainFormats = ['json', 'json&formatversion=2', 'xml', 'php', 'jsonfm']
/** Debugging output, which the lab has, keeps some of these from being recorded. */
const formats = [...plainFormats, 'xmlfm', 'phpfm', 'rawfm']
const written = writtenPairs.join('\n\n')
const q = encodeURIComponent
const scripts = `var pairs = [${writtenPairs.map((one) => JSON.stringify(one)).join(',\n')}];`

/** Ways in which a wiki serves a text without keeping it. */
const ways: readonly (readonly [string, string])[] = [
  ['wikitext of a parse', `action=parse&prop=wikitext&text=${q(written)}`],
  ['a parse', `action=parse&prop=text&disablelimitreport=1&text=${q(written)}`],
  [
    'a parse of a script',
    `action=parse&prop=text&contentmodel=javascript&disablelimitreport=1&text=${q(scripts)}`
  ],
  [
    'a parse of JSON',
    `action=parse&prop=text&contentmodel=json&disablelimitreport=1&text=${q(JSON.stringify(writtenPairs))}`
  ],
  ['templates', `action=expandtemplates&prop=wikitext&text=${q(written)}`],
  [
    'a comparison',
    `action=compare&fromtext=${q(written)}&totext=${q(`${written}\nmore`)}`
  ]
]

/** Whatever stands for a secret. */
const placeholders =
  /redacted-(?:token|session|cookie|oauth|password)|redacted(?:@|%40)example\.invalid|(?<![0-9a-f])0{32}|(?<![\d.])192\.0\.2\.1(?![\d.])|\(secret\)/

const status = (reply: HttpReply): string => String(reply.headers['x-cassette-status'])

/** JSON without the wiki's notes about its own work. */
const withoutNotes = (text: string): string =>
  text.startsWith('{') && text.includes('"debuginfo"')
    ? JSON.stringify({ ...(JSON.parse(text) as object), debuginfo: undefined })
    : text

async function contentStays(version: LabVersion): Promise<void> {
  const recording = await startProxy(labUrl(version))
  const asked: (readonly [string, string])[] = []
  for (const [way, query] of ways)
    for (const format of plainFormats) {
      const reply = await post(recording.api, `${query}&format=${format}`)
      // Formatted JSON is made of the plain one.
      expect([way, format, status(reply)]).toEqual([
        way,
        format,
        format === 'jsonfm' ? 'replayed' : 'recorded'
      ])
      asked.push([`${query}&format=${format}`, reply.text])
    }
  await recording.close()
  expect(recording.reports.filter((line) => line.includes('not recorded'))).toEqual([])
  const changed = writtenIn(recording.cassette).flatMap(
    (one) => placeholders.exec(one) ?? []
  )
  expect(changed).toEqual([])
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  for (const [query, text] of asked) {
    const reply = await post(replay.api, query)
    expect(status(reply)).toBe('replayed')
    // In other formats the notes about its own work are cut out of the text.
    if (text.startsWith('{')) expect(withoutNotes(reply.text)).toBe(withoutNotes(text))
  }
}

/** What a user's browser and bots ask of a wiki after a login. */
const pagesOfUser = [
  ...[
    'Watchlist',
    'ResetTokens',
    'Preferences',
    'ChangeCredentials',
    'ChangeEmail',
    'BotPasswords'
  ],
  ...[
    'Manage_Two-factor_authentication',
    'UserLogin',
    'CreateAccount',
    'Upload',
    'RecentChanges'
  ],
  ...[
    'ExpandTemplates',
    'ComparePages',
    'EditWatchlist/raw',
    'Contributions/Bob',
    'UserRights/Bob',
    'Block/Bob',
    'MovePage/Main_Page',
    'PasswordReset'
  ]
].map((page) => `title=Special:${page}`)
const actions = [
  'edit',
  'history',
  'info',
  'watch',
  'purge',
  'delete',
  'protect',
  'rollback',
  'markpatrolled'
].map((action) => `title=Main_Page&action=${action}`)
const queries = [
  'action=query&meta=tokens&type=csrf|watch|patrol|rollback|userrights|login|createaccount',
  'action=query&meta=userinfo&uiprop=options|email|rights',
  'action=query&meta=authmanagerinfo&amirequestsfor=login',
  'action=parse&title=A&text=B&prop=headhtml|jsconfigvars|encodedjsconfigvars',
  'action=tokens&type=edit|options',
  'action=query&prop=info&intoken=edit&titles=Main_Page',
  'action=query&list=watchlistraw'
]

/** Everything random that the client was told of itself. */
const tokenIn = /(?<![0-9a-f])[0-9a-f]{40}(?=(?:\+|%2B|\\u002b|&#43;)(?:\\|%5C|&#92;))/gi

async function nothingIsWritten(version: LabVersion): Promise<number> {
  const recording: RunningProxy = await startProxy(labUrl(version))
  const log: string[] = []
  recording.rack.feed.subscribe(({ entry }) => void log.push(entryLine(entry)))
  const { name, password } = labAccounts.admin
  const secrets = new Set([password])
  const user = new Client(recording.api)
  await user.login(name, password)
  await user.clientLogin(name, password)
  const cookie = [...user.cookies].map(([one, value]) => `${one}=${value}`).join('; ')
  for (const [one, value] of user.cookies)
    if (/session|token/i.test(one)) secrets.add(decodeURIComponent(value))
  const entry = recording.api.replace('api.php', '')
  const targets = [
    ...[...pagesOfUser, ...actions].map((query) => `${entry}index.php?${query}`),
    `${entry}load.php?modules=user.options|user.tokens|user&only=scripts`,
    ...queries.map((query) => `${recording.api}?${query}&format=xml`),
    ...queries
      .slice(0, 2)
      .flatMap((query) =>
        formats.map((format) => `${recording.api}?${query}&format=${format}`)
      )
  ]
  const options = await user.get({ action: 'query', meta: 'userinfo', uiprop: 'options' })
  const watchlist = /"watchlisttoken":\s*"([0-9a-f]{40})"/.exec(options.text)?.[1]
  if (watchlist !== undefined) secrets.add(watchlist)
  for (const target of targets) {
    const reply = await ask(target, { headers: { cookie } })
    for (const [token] of reply.text.matchAll(tokenIn)) secrets.add(token.toLowerCase())
    for (const [, token = ''] of reply.text.matchAll(/wltoken=([0-9a-f]{40})/g))
      secrets.add(token)
  }
  await recording.close()
  const texts = [...writtenIn(recording.cassette), ...recording.reports, ...log]
  // The recorder answers again from what it has written.
  secrets.delete('0'.repeat(40))
  for (const secret of secrets) expect(traces(secret, texts)).toEqual([])
  expect(recording.rack.counts().recorded).toBeGreaterThan(20)
  return secrets.size * targets.length * encodings.length
}

describe.each(labVersions)('MediaWiki %s', (version) => {
  const cells = ways.length * plainFormats.length * writtenPairs.length

  it(
    `keeps ${cells} texts that look like secrets as they are`,
    { timeout: 240_000 },
    () => contentStays(version)
  )

  it('tells a user who is logged in nothing that is written down', {
    timeout: 240_000
  }, async () => {
    expect(await nothingIsWritten(version)).toBeGreaterThan(600)
  })
})
