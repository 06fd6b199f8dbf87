/**
 * What people do on a wiki is no drift: `WIKITAPE_LAB=FOLDER WIKITAPE_LAB_PORT_BASE=N npx tsx scripts/false-alarms.ts
 * [1.43 …] [--each] [--all]`, with a lab to write into, as new (`npm run wiki -- reset`). Records a bot's requests from
 * each wiki, then does what people do there, and compares: findings of behaviour and contract have to be none. At the
 * end the recordings of the first wiki are compared with the edited last one: no more and no fewer causes than before
 * anybody edited. Ends with 1 where anything was told.
 * `--each` compares before anything was done and after each deed, `--all` asks all two hundred requests rather than
 * every third about one page.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LabVersion, labAccounts, labPortBase, labUrl, labVersions } from './wiki/lab.ts'
import { labOf } from './wiki/machine/place.ts'
import { startProgress } from './wiki/machine/progress.ts'
import { WikiSession } from './wiki/session.ts'
import { down, up } from './wiki/up.ts'

const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'false-alarms-'))
const words = process.argv.slice(2)
const versions = labVersions.filter(
  (version) => words.length === 0 || words.includes(version) || words.every((one) => one.startsWith('--')),
)

interface Finding {
  readonly axis: string
  readonly severity: string
  readonly kind: string
  readonly scope: string
  readonly place: string
}
interface Report {
  readonly causes: readonly {
    readonly axis: string
    readonly severity: string
    readonly fingerprint: string
  }[]
  readonly findings: readonly Finding[]
}

const wikitape = (...args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error !== null && stdout === '') reject(new Error(stderr))
      else resolve(stdout)
    })
  })

const compare = async (a: string, b: string): Promise<Report> =>
  JSON.parse(await wikitape('diff', a, b, '--json', '--fail-on', 'none', '--allow-live')) as Report

/** Findings that a client's author would be told of. */
const alarms = ({ findings }: Report): readonly Finding[] => findings.filter(({ axis }) => axis !== 'data')

/** Every list, and every third request about one page, unless all are wanted. */
function requests(): string {
  const all = readFileSync('examples/bot-requests.txt', 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const kept = words.includes('--all') ? all : all.filter((_, at) => at >= 132 || at % 3 === 0)
  const file = path.join(folder, 'requests.txt')
  writeFileSync(file, `${kept.join('\n')}\n`)
  return file
}

interface Deed {
  readonly name: string
  readonly done: (wiki: WikiSession, version: LabVersion) => Promise<void>
}

/** Stops the wiki's server and starts it again. */
async function restart(version: LabVersion): Promise<void> {
  const lab = labOf('natural', labPortBase(), process.env)
  const progress = startProgress(() => undefined)
  await down(lab, [version], false, progress, () => undefined)
  await up(lab, [version], false, progress, () => undefined)
}

const deeds: readonly Deed[] = [
  { name: 'nothing', done: async () => undefined },
  {
    name: 'one edit',
    done: (wiki) =>
      wiki.write({
        action: 'edit',
        title: 'Абрикос',
        appendtext: '\n== Ещё ==\n[[Груша]] [[Файл:Map 07.png]] [[Категория:Новая]] https://example.org/',
      }),
  },
  {
    name: 'an edit that makes a redirect, and a deletion',
    done: async (wiki) => {
      await wiki.write({ action: 'edit', title: 'Ёлка', text: '#REDIRECT [[Волга]]' })
      await wiki.write({ action: 'delete', title: 'Alpha' })
    },
  },
  {
    name: 'a hundred edits elsewhere',
    done: async (wiki) => {
      for (let at = 0; at < 100; at += 1)
        await wiki.write({
          action: 'edit',
          title: `Новая ${at}`,
          text: `Страница ${at}, [[Волга]], {{PAGENAME}}`,
        })
    },
  },
  { name: 'a rename', done: (wiki) => wiki.write({ action: 'move', from: 'Hub 00', to: 'Узловая' }) },
  {
    name: 'a protection',
    done: (wiki) => wiki.write({ action: 'protect', title: 'Волга', protections: 'edit=sysop' }),
  },
  {
    name: 'a block',
    done: (wiki) => wiki.write({ action: 'block', user: 'Bob', expiry: '1 month', reason: 'test' }),
  },
  {
    name: 'a new user',
    done: (wiki) =>
      wiki.write(
        {
          action: 'createaccount',
          username: 'Новенький',
          password: 'Abc-12345-xyz',
          retype: 'Abc-12345-xyz',
          createreturnurl: 'http://127.0.0.1/',
        },
        'createaccount',
      ),
  },
  { name: 'a restart', done: (_, version) => restart(version) },
]

/** The same wiki by another name of its host. */
const elsewhere = (version: LabVersion): string => labUrl(version).replace('127.0.0.1', 'localhost')

interface Told {
  readonly name: string
  readonly alarms: readonly Finding[]
}

async function watch(version: LabVersion, asked: string): Promise<readonly Told[]> {
  const cassette = path.join(folder, version)
  await wikitape('capture', labUrl(version), '--requests', asked, '--cassette', cassette, '--allow-live')
  const wiki = await WikiSession.of(labUrl(version), labAccounts.admin)
  const told: Told[] = []
  for (const { name, done } of deeds) {
    await done(wiki, version)
    if (!words.includes('--each')) continue
    told.push({ name, alarms: alarms(await compare(cassette, labUrl(version))) })
    console.error(`${version}: after ${name}: ${told.at(-1)?.alarms.length}`)
  }
  told.push({
    name: 'all of it, under another host',
    alarms: alarms(await compare(cassette, elsewhere(version))),
  })
  return told
}

const grave = ({ causes }: Report): readonly string[] =>
  causes
    .filter(({ axis, severity }) => axis !== 'data' && /^(?:breaking|risky)$/.test(severity))
    .map(({ fingerprint }) => fingerprint)

/** What the upgrade is told of before and after the edits of the later wiki. */
async function acrossVersions(
  from: LabVersion,
  to: LabVersion,
): Promise<readonly [number, readonly string[]]> {
  const before = grave(await compare(path.join(folder, from), path.join(folder, to)))
  const after = grave(await compare(path.join(folder, from), labUrl(to)))
  const differing = [
    ...before.filter((one) => !after.includes(one)),
    ...after.filter((one) => !before.includes(one)),
  ]
  return [before.length, differing]
}

try {
  const asked = requests()
  const told = new Map(
    await Promise.all(versions.map(async (one) => [one, await watch(one, asked)] as const)),
  )
  console.log(`| after | ${versions.join(' | ')} |\n| --- | ${versions.map(() => '---').join(' | ')} |`)
  for (const [at, { name }] of (told.get(versions[0] ?? '1.43') ?? []).entries())
    console.log(`| ${name} | ${versions.map((one) => told.get(one)?.[at]?.alarms.length).join(' | ')} |`)
  const all = [...told.values()]
    .flat()
    .flatMap(({ name, alarms }) => alarms.map((one) => ({ after: name, ...one })))
  for (const one of all) console.log(JSON.stringify(one))
  const [first, last] = [versions.at(0), versions.at(-1)]
  const [causes, differing] =
    first === undefined || last === undefined || first === last ? [0, []] : await acrossVersions(first, last)
  console.log(
    `${first} → ${last}: ${causes} causes before the edits; other ones after them: ${differing.length}`,
  )
  for (const one of differing) console.log(one)
  process.exitCode = all.length + differing.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true })
}
