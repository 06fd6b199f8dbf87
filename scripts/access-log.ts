/**
 * `npx tsx scripts/access-log.ts API FOLDER LINES`: makes FOLDER/access.log as nginx writes it (combined format), by
 * the real clients of test/clients (and Pywikibot, with PYWIKIBOT_SOURCE) behind a real nginx. So that it takes minutes and not
 * hours, the wiki API, which is edited, answers each request once, through `wikitape record`; then the clients run again and again
 * against `wikitape replay` (a cassette that is there is used). nginx's clock runs fast, so that the log is of a week; callers have addresses of their own.
 * Needs Debian's nginx-light, faketime, python3-mwclient, python3-requests and libmediawiki-bot-perl.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, clients } from '../test/clients/clients.ts'
import { program } from '../test/helpers/processes.ts'
import { labAccounts } from './wiki/lab.ts'

const [api = '', folder = '', wanted = '200000'] = process.argv.slice(2)
const log = path.resolve(folder, 'access.log')
const cassette = path.resolve(folder, 'cassette')
const outside = 12_181
const inside = 12_182
const tape = 12_183
const entrance = `http://127.0.0.1:${outside}${new URL(api).pathname}`
const clientFile = (file: string): string =>
  fileURLToPath(new URL(`clients/${file}`, import.meta.url))

/** The outer server gives each request an address; the inner one is the wiki's, and logs. */
const configuration = `daemon off; worker_processes 1; env LD_PRELOAD; env FAKETIME; env FAKETIME_DONT_FAKE_MONOTONIC; pid ${path.resolve(folder)}/nginx.pid;
events {}
http {
  access_log off; client_max_body_size 50m; client_body_temp_path ${path.resolve(folder)}/bodies;
  proxy_temp_path ${path.resolve(folder)}/answers; keepalive_requests 100000; proxy_http_version 1.1;
  split_clients $request_id $caller { 34% 203.0.113.7; 33% 198.51.100.23; * 2001:db8::17; }
  upstream wiki { server 127.0.0.1:${tape}; keepalive 16; }
  upstream inner { server 127.0.0.1:${inside}; keepalive 16; }
  server { listen 127.0.0.1:${outside}; location / { proxy_pass http://inner; proxy_set_header Host $http_host;
    proxy_set_header Connection ""; proxy_set_header X-Forwarded-For $caller; } }
  server { listen 127.0.0.1:${inside}; set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For; keepalive_requests 100000;
    access_log ${log} combined;
    location /wiki/ { return 200 "a page"; }
    location / { proxy_pass http://wiki; proxy_set_header Host $http_host; proxy_set_header Connection ""; } }
}
`

function start(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const [file = '', ...args] = command
  const stdio = ['ignore', 'ignore', openSync(path.join(folder, 'stderr.txt'), 'a')] as const
  return spawn(file, args, {
    cwd: folder,
    env: { ...process.env, ...env, CI: '' },
    stdio: [...stdio],
  })
}

/** nginx with a clock of its own, which begins on 17 November and runs so many times as fast. */
function startNginx(speed: number): ChildProcess {
  const file = path.resolve(folder, 'nginx.conf')
  writeFileSync(file, configuration)
  const day = speed === 1 ? '2026-11-17 00:00:05' : '2026-11-17 01:00:00'
  const clock = { TZ: 'UTC', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
  return start(
    ['/usr/bin/faketime', '-f', `@${day} x${speed}`, '/usr/sbin/nginx', '-c', file],
    clock,
  )
}

/** @param pid of the process behind it, if it is not itself what is to end */
async function stop(child: ChildProcess, pid = child.pid ?? 0): Promise<void> {
  const closed = once(child, 'close')
  process.kill(pid, 'SIGTERM')
  await closed
}

const nginxPid = (): number => Number(readFileSync(path.resolve(folder, 'nginx.pid'), 'utf8'))

/** @param rounds of the session in one process */
async function work(
  command: readonly string[],
  { name, password }: Client['account'],
): Promise<void> {
  const batch = { CLIENT_BATCH: '10', CLIENT_SHORT_BATCH: '2', CLIENT_ORDER: 'in order' }
  const child = start(command, {
    ...batch,
    WIKITAPE_API_URL: entrance,
    CLIENT_USER: name,
    CLIENT_PASSWORD: password,
  })
  const [code] = await once(child, 'close')
  if (code !== 0) console.error(`${command.join(' ')} ended with ${code}`)
}

const again = { JavaScript: 'again.mjs', Python: 'again.py', Perl: 'again.pl' }
type Session = (rounds: number) => Promise<void>
const sessions: readonly Session[] = [
  ...clients.flatMap(({ command: [interpreter, file = ''], kinds, language, account }) =>
    (['read', 'write'] as const)
      .filter((kind) => kinds.includes(kind))
      .map(
        (kind) =>
          async (rounds: number): Promise<void> =>
            work([interpreter, clientFile(again[language]), file, kind, String(rounds)], account),
      ),
  ),
  async (rounds) =>
    work(
      ['/usr/bin/python3', clientFile('inventory.py'), String(Math.ceil(rounds / 9))],
      labAccounts.bob,
    ),
  async () =>
    process.env['PYWIKIBOT_SOURCE'] === undefined
      ? undefined
      : work(['/usr/bin/python3', clientFile('pywikibot_session.py')], labAccounts.admin),
]

/** Views of pages, as browsers ask for them. */
async function view(count: number): Promise<void> {
  const headers = {
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  }
  for (let at = 0; at < count; at += 1)
    await (await fetch(new URL(`/wiki/Page_${at}`, entrance), { headers })).text()
}

async function served(
  command: 'record' | 'replay',
  upstream: readonly string[],
): Promise<ChildProcess> {
  const flags = ['--cassette', cassette, '--port', String(tape)]
  const child = start([process.execPath, program, command, ...upstream, ...flags])
  for (let tries = 0; tries < 200; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (
      await fetch(`http://127.0.0.1:${tape}/__wikitape/`).then(
        () => true,
        () => false,
      )
    )
      return child
  }
  throw new Error(`wikitape ${command} does not start`)
}

const started = Date.now()
const tell = (text: string): void =>
  console.error(`${Math.round((Date.now() - started) / 1000)} s: ${text}`)
const averageLine = 260
const lines = (): number => Math.round((existsSync(log) ? statSync(log).size : 0) / averageLine)
mkdirSync(folder, { recursive: true })

if (!existsSync(cassette)) {
  const recording = await served('record', [api])
  const slow = startNginx(1)
  for (const session of sessions) await session(1)
  await stop(slow, nginxPid())
  await stop(recording)
  tell(`recorded; some ${lines()} lines`)
}

const replay = await served('replay', [])
const fast = startNginx(900)
let next = 0
async function worker(): Promise<void> {
  while (lines() < Number(wanted)) {
    const session = sessions[next % sessions.length]
    next += 1
    await session?.(25)
    tell(`some ${lines()} lines`)
  }
}
await Promise.all([worker(), worker(), worker(), view(Number(wanted) / 3)])
await stop(fast, nginxPid())
await stop(replay)
tell(`${log}: some ${lines()} lines`)
