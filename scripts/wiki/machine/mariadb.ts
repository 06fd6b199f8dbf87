/**
 * A MariaDB of the lab's own, for wikis whose tables are not in SQLite: started and stopped with them, reachable on
 * loopback alone, its root without a password.
 */
import { spawn } from 'node:child_process'
import { access, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LabProblem, run } from './command.ts'
import { markOf, readLiveMark } from './process.ts'

export interface Mariadb {
  readonly folder: string
  readonly port: number
}

/** How PHP reaches it. */
export const addressOf = ({ port }: Mariadb): string => `127.0.0.1:${port}`

/** What tells LocalSettings.php of it; nothing for wikis in SQLite. */
export const environmentOf = (
  server: Mariadb | undefined
): Readonly<Record<string, string>> =>
  server === undefined ? {} : { WIKITAPE_LAB_MARIADB: addressOf(server) }

const markFile = ({ folder }: Mariadb): string => join(folder, 'server.json')
const dataOf = ({ folder }: Mariadb): string => join(folder, 'data')
const advice = 'Is it installed? apt-get install mariadb-server'

/** Starts it, made new where there is none yet; one that runs already stays. @throws LabProblem */
export async function startMariadb(server: Mariadb): Promise<void> {
  if ((await readLiveMark(markFile(server))) !== undefined) return
  const data = dataOf(server)
  await mkdir(server.folder, { recursive: true })
  if (!(await exists(join(data, 'mysql')))) {
    await rm(data, { recursive: true, force: true })
    const root = ['--auth-root-authentication-method=normal', '--skip-test-db']
    await run(
      'mariadb-install-db',
      ['--no-defaults', `--datadir=${data}`, ...asRoot(), ...root],
      {
        advice
      }
    )
  }
  const log = await open(join(server.folder, 'server.log'), 'a')
  const network = [
    '--bind-address=127.0.0.1',
    `--port=${server.port}`,
    '--socket=mariadb.sock'
  ]
  // The lab can be built again at any time: nothing of it has to survive a power cut.
  const careless = [
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=0',
    '--skip-log-bin'
  ]
  const child = spawn(
    'mariadbd',
    ['--no-defaults', `--datadir=${data}`, ...asRoot(), ...network, ...careless],
    { detached: true, stdio: ['ignore', log.fd, log.fd] }
  )
  const failed = new Promise<string>((settle) =>
    child.once('error', (problem) => settle(problem.message))
  )
  child.unref()
  await log.close()
  if (child.pid === undefined)
    throw new LabProblem(`mariadbd did not start: ${await failed}\n${advice}`)
  await writeFile(
    markFile(server),
    JSON.stringify({ ...(await markOf(child.pid)), port: server.port })
  )
  await waitForAnswer(server)
}

/** The server refuses to run as root unless it is told to. */
const asRoot = (): readonly string[] => (process.getuid?.() === 0 ? ['--user=root'] : [])

async function waitForAnswer(server: Mariadb, timeoutMs = 300_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (
    performance.now() < deadline &&
    (await readLiveMark(markFile(server))) !== undefined
  ) {
    const answered = await statement(server, 'SELECT 1').then(
      () => true,
      () => false
    )
    if (answered) return
    await new Promise((settle) => setTimeout(settle, 200))
  }
  const log = await readFile(join(server.folder, 'server.log'), 'utf8').catch(() => '')
  const tail = log.trimEnd().split('\n').slice(-12)
  throw new LabProblem(
    [
      `MariaDB does not answer on port ${server.port}.`,
      ...tail.map((line) => `  | ${line}`)
    ].join('\n')
  )
}

/** Ends it and waits until it is gone. */
export async function stopMariadb(server: Mariadb): Promise<void> {
  const mark = await readLiveMark(markFile(server))
  if (mark === undefined) return
  process.kill(mark.pid, 'SIGTERM')
  while ((await readLiveMark(markFile(server))) !== undefined)
    await new Promise((settle) => setTimeout(settle, 100))
  await rm(markFile(server), { force: true })
}

const client = ({ port }: Mariadb): readonly string[] => [
  '--no-defaults',
  '--protocol=tcp',
  '--host=127.0.0.1',
  `--port=${port}`,
  '--user=root'
]

const statement = (server: Mariadb, sql: string): Promise<string> =>
  run('mariadb', [...client(server), '--execute', sql], { advice })

/** Takes a database away, with all that an earlier build left in it. */
export const dropDatabase = async (server: Mariadb, name: string): Promise<void> =>
  void (await statement(server, `DROP DATABASE IF EXISTS ${name}`))

/** Writes one database as SQL that makes it again. */
export async function dumpDatabase(
  server: Mariadb,
  name: string,
  file: string
): Promise<void> {
  const kept = [
    '--add-drop-database',
    '--default-character-set=binary',
    `--result-file=${file}`
  ]
  await run('mariadb-dump', [...client(server), ...kept, '--databases', name], { advice })
}

/** Makes a database as it was dumped. */
export const restoreDatabase = async (server: Mariadb, file: string): Promise<void> =>
  void (await run(
    'mariadb',
    [...client(server), '--default-character-set=binary', '--execute', `source ${file}`],
    { advice }
  ))

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false
  )
