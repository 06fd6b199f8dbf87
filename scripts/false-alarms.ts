/**
 * What people do on a wiki is no drift: `WIKITAPE_LAB=FOLDER WIKITAPE_LAB_PORT_BASE=N npx tsx scripts/false-alarms.ts
 * [1.43 …] [--all] [--only WORD] [--login]`, with a lab to write into (`npm run wiki -- up`, and once more with `--order reversed`
 * for the pages imported in reverse). Records a bot's requests from each wiki, then for each deed gives the wiki back as
 * it was built, does the deed, and compares: nothing may be told of behaviour and contract, and where the wiki was
 * configured otherwise only that. At the end the recordings of the first wiki are compared with the last one, edited all
 * over: as many causes as before anybody edited, and none that was not accepted then. Ends with 1 where anything else was told.
 * `--all` asks all two hundred requests rather than every third about one page, `--only` does the deeds so named (words between commas),
 * `--login` asks as the lab's administrator.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  absent,
  type Deed,
  deeds,
  placeOf,
  restoreSettings
} from './false-alarms/deeds.ts'
import { restorePristine } from './wiki/build/pristine.ts'
import { type LabVersion, labAccounts, labUrl, labVersions } from './wiki/lab.ts'
import { startServer, stopServer, waitForAnswer } from './wiki/machine/server.ts'
import { WikiSession } from './wiki/session.ts'

const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'false-alarms-'))
const words = process.argv.slice(2)
const only = words.includes('--only') ? (words[words.indexOf('--only') + 1] ?? '') : ''
const login = words.includes('--login') ? ['--login', labAccounts.admin.name] : []
process.env['WIKITAPE_PASSWORD'] = labAccounts.admin.password
const named = labVersions.filter((version) => words.includes(version))
const versions = named.length === 0 ? labVersions : named

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
    readonly title: string
    readonly fingerprint: string
  }[]
  readonly findings: readonly Finding[]
}

const wikitape = (...args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, ...args],
      { maxBuffer: 2 ** 28 },
      (error, stdout, stderr) => {
        if (error !== null && stdout === '') reject(new Error(stderr))
        else resolve(stdout)
      }
    )
  })

const compare = async (
  a: string,
  b: string,
  ...flags: readonly string[]
): Promise<Report> =>
  JSON.parse(
    await wikitape(
      'diff',
      a,
      b,
      ...(/^http/.test(b) ? login : []),
      '--json',
      '--fail-on',
      'none',
      '--allow-live',
      ...flags
    )
  ) as Report

const isConfiguration = ({ kind }: Finding): boolean =>
  /^(?:configuration|extension)\./.test(kind)

/** Findings that a client's author would be told of: where the wiki was configured otherwise, such as could break a client. */
const alarms = ({ findings }: Report, { configures }: Deed): readonly Finding[] =>
  findings.filter(({ axis, severity, kind, ...rest }) =>
    configures === true
      ? axis !== 'data' &&
        /^(?:breaking|risky)$/.test(severity) &&
        !isConfiguration({ axis, severity, kind, ...rest })
      : axis !== 'data' && severity !== 'noise'
  )

/** What the bot does not ask, and what people do changes. */
const further = [
  'list=usercontribs&ucuser=Bob|Admin&uclimit=20',
  'prop=revisions&rvuser=Bob&rvlimit=5&titles=Волга&rvprop=ids|user|timestamp',
  'prop=revisions&revids=5|13&rvprop=ids|user|content|sha1&rvslots=main',
  'list=logevents&leuser=Bob&lelimit=20',
  'list=recentchanges&rcuser=Bob&rclimit=20',
  'list=allrevisions&arvuser=Bob&arvlimit=10',
  'meta=siteinfo&siprop=usergroups|statistics&sinumberingroup=1',
  'meta=authmanagerinfo&amirequestsfor=create',
  'redirects=1&titles=Узелок 01|Узелок 02|Hub 02|Hub 04',
  'list=categorymembers&cmtitle=Категория:Реки&cmsort=timestamp&cmlimit=20',
  'list=allpages&apprefix=По&aplimit=50',
  'generator=embeddedin&geititle=Шаблон:Box B&prop=info'
].map((query) => `action=query&${query}&format=json`)

/** Every list, and every third request about one page, unless all are wanted. */
function requests(): string {
  const all = readFileSync('examples/bot-requests.txt', 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const kept = words.includes('--all')
    ? all
    : all.filter((_, at) => at >= 132 || at % 3 === 0)
  const file = path.join(folder, 'requests.txt')
  writeFileSync(file, `${[...kept, ...further].join('\n')}\n`)
  return file
}

/** The wiki as it was built. */
async function reset(version: LabVersion): Promise<void> {
  const place = placeOf(version)
  await stopServer(place)
  await restoreSettings(version)
  await restorePristine(place)
  await startServer(place)
  await waitForAnswer(place)
}

interface Told {
  /** Undefined where the deed could not be done. */
  readonly alarms: readonly Finding[] | undefined
  readonly configuration: number
}

async function tell(version: LabVersion, deed: Deed): Promise<Told> {
  await reset(version)
  const wiki = await WikiSession.of(labUrl(version), labAccounts.admin)
  const url = await deed.done(wiki, version)
  if (url === absent) return { alarms: undefined, configuration: 0 }
  const report = await compare(path.join(folder, version), url ?? labUrl(version))
  const told = {
    alarms: alarms(report, deed),
    configuration: report.findings.filter(isConfiguration).length
  }
  console.error(
    `${version}: ${deed.name}: ${told.alarms.length}, configuration ${told.configuration}`,
    ...told.alarms.map((one) => `\n  ${JSON.stringify(one)}`)
  )
  return told
}

const chosen = deeds.filter(({ name }) =>
  only.split(',').some((word) => name.includes(word))
)

async function watch(version: LabVersion, asked: string): Promise<readonly Told[]> {
  await reset(version)
  const cassette = path.join(folder, version)
  await wikitape(
    'capture',
    labUrl(version),
    '--requests',
    asked,
    '--cassette',
    cassette,
    ...login,
    '--allow-live'
  )
  const told: Told[] = []
  for (const deed of chosen) told.push(await tell(version, deed))
  return told
}

const grave = ({ causes }: Report): readonly Report['causes'][number][] =>
  causes.filter(
    ({ axis, severity }) => axis !== 'data' && /^(?:breaking|risky)$/.test(severity)
  )

/** What the upgrade is told of before and after the edits of the later wiki; what is told although it was accepted before. */
async function acrossVersions(
  from: LabVersion,
  to: LabVersion
): Promise<{
  readonly before: number
  readonly after: number
  readonly again: readonly string[]
}> {
  const [a, b] = [from, to].map((one) => path.join(folder, one)) as [string, string]
  const file = path.join(folder, 'accepted.json')
  const before = grave(await compare(a, b))
  const fingerprints = before.map(({ fingerprint }) => fingerprint)
  await wikitape(
    'accept',
    a,
    b,
    ...fingerprints,
    '--reason',
    'seen before the edits',
    '--file',
    file
  )
  const after = grave(await compare(a, labUrl(to)))
  const again = grave(await compare(a, labUrl(to), '--accept', file))
  return {
    before: before.length,
    after: after.length,
    again: again.map(({ severity, title }) => `+ ${severity} ${title}`)
  }
}

const cell = (told: Told | undefined): string =>
  told?.alarms === undefined
    ? '–'
    : `${told.alarms.length}${told.configuration > 0 ? `, the wiki's configuration` : ''}`

try {
  const asked = requests()
  const told = new Map(
    await Promise.all(
      versions.map(async (one) => [one, await watch(one, asked)] as const)
    )
  )
  console.log(
    `| after | ${versions.join(' | ')} |\n| --- | ${versions.map(() => '---').join(' | ')} |`
  )
  for (const [at, { name }] of chosen.entries())
    console.log(
      `| ${name} | ${versions.map((one) => cell(told.get(one)?.[at])).join(' | ')} |`
    )
  const all = [...told].flatMap(([version, rows]) =>
    rows.flatMap(({ alarms = [] }, at) =>
      alarms.map((one) => ({ version, after: chosen[at]?.name, ...one }))
    )
  )
  for (const one of all) console.log(JSON.stringify(one))
  const missed = [...told.values()]
    .flat()
    .filter(
      ({ configuration }, at) =>
        chosen[at % chosen.length]?.configures === true && configuration === 0
    )
  const first = versions.at(0)
  const last = versions.at(-1)
  const upgrade =
    first === undefined || last === undefined || first === last
      ? { before: 0, after: 0, again: [] }
      : await acrossVersions(first, last)
  console.log(
    `${first} → ${last}: ${upgrade.before} causes before the edits, ${upgrade.after} after them; accepted before and told again: ${upgrade.again.length}`
  )
  for (const one of upgrade.again) console.log(one)
  console.log(`configured otherwise and not told: ${missed.length}`)
  const isOther = upgrade.before !== upgrade.after || upgrade.again.length > 0
  process.exitCode = all.length + missed.length > 0 || isOther ? 1 : 0
} finally {
  rmSync(folder, { recursive: true })
  for (const version of versions) await restoreSettings(version)
}
