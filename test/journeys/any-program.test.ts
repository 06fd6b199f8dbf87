/** Programs that have the https address of their wikis in their code: recorded and replayed as they are. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { echo, type FakeWiki, fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { type NamedWikis, namedWikis } from '../helpers/named-wikis.ts'
import { type Run, run } from '../helpers/program.ts'
import { authority, proxyTo, tlsWiki } from '../helpers/tls.ts'

interface Family extends NamedWikis {
  readonly en: FakeWiki
  readonly commons: FakeWiki
  readonly cwd: string
  readonly record: (command: readonly string[], flags?: readonly string[]) => Promise<Run>
  readonly replay: (command: readonly string[], flags?: readonly string[]) => Promise<Run>
}

/** Two wikis under names, and a host that is none. */
async function family(): Promise<Family> {
  const en = await fakeWiki(echo, false, 'en')
  const commons = await fakeWiki((params) => `{"commons":"${params.get('titles')}"}`, false, 'de')
  const names = await namedWikis({
    'en.wiki.test': en.origin,
    'commons.wiki.test': commons.origin,
    'upload.wiki.test': commons.origin,
  })
  const cwd = temporaryFolder()
  return {
    ...names,
    en,
    commons,
    cwd,
    record: (command, flags = []) =>
      run(['record', '--cacert', names.cacert, ...flags, '--', ...command], {
        cwd,
        env: names.env,
      }),
    replay: (command, flags = []) => run(['exec', ...flags, '--', ...command], { cwd }),
  }
}

const curl = (...urls: readonly string[]): readonly string[] => ['curl', '-sS', ...urls]
const page = (host: string, title: string): string =>
  `https://${host}/w/api.php?action=query&format=json&prop=info&titles=${title}`

it('records each wiki that curl names, and replays them with nothing asked', async () => {
  const { cwd, en, commons, record, replay } = await family()
  const command = curl(page('en.wiki.test', 'Box'), page('commons.wiki.test', 'Fox'))
  const recorded = await record(command)
  expect(recorded).toMatchObject({ code: 0 })
  expect(recorded.stdout).toContain('titles=Box')
  expect(recorded.stderr).toContain('cassettes/en.wiki.test: recorded 1')
  expect(readdirSync(path.join(cwd, 'cassettes')).sort()).toEqual([
    'commons.wiki.test',
    'en.wiki.test',
  ])

  const asked = [en.seen.length, commons.seen.length]
  const replayed = await replay(command)
  expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout })
  expect(replayed.stderr).toContain('live requests: 0')
  expect([en.seen.length, commons.seen.length]).toEqual(asked)
})

it('serves the same requests to a program that reads WIKITAPE_API_URL, with one cassette', async () => {
  const { record, replay } = await family()
  await record(curl(page('en.wiki.test', 'Box')))
  const script = 'curl -sS "$WIKITAPE_API_URL?action=query&format=json&prop=info&titles=Box"'
  const { code, stdout } = await replay(['sh', '-c', script])
  expect([code, stdout]).toEqual([0, expect.stringContaining('titles=Box')])
})

it('leaves nothing of the run behind, and keeps the key to itself', async () => {
  const { record } = await family()
  const script =
    'curl -sS "$1" >/dev/null; ls "$(dirname "$SSL_CERT_FILE")"; cat "$(dirname "$SSL_CERT_FILE")"/*.pem; stat -c %a "$(dirname "$SSL_CERT_FILE")"; echo "$SSL_CERT_FILE"'
  const { stdout } = await record(['sh', '-c', script, 'sh', page('en.wiki.test', 'Box')])
  expect(stdout).not.toContain('PRIVATE KEY')
  const [mode, bundle = ''] = stdout.trim().split('\n').slice(-2)
  expect([mode, existsSync(bundle), existsSync(path.dirname(bundle))]).toEqual([
    '700',
    false,
    false,
  ])
})

describe('hosts that are no wiki', () => {
  const picture = 'https://upload.wiki.test/a.png?titles=A'

  it('are passed on while recording, and named at the end', async () => {
    const { record, replay } = await family()
    const command = curl(page('en.wiki.test', 'Box'), picture)
    const recorded = await record(command)
    expect([recorded.code, recorded.stdout]).toEqual([
      0,
      expect.stringContaining('{"commons":"A"}'),
    ])
    expect(recorded.stderr).toContain('passed on, not recorded: upload.wiki.test 1')

    const replayed = await replay(command)
    expect([replayed.code, replayed.stdout]).toEqual([1, expect.stringContaining('no-cassette')])
    expect(replayed.stderr).toContain('refused, nothing was sent: upload.wiki.test 1')
    const accepted = await replay(command, ['--others', 'refuse'])
    expect(accepted.code).toBe(0)
  })

  it('are recorded with --others record', async () => {
    const { record, replay } = await family()
    const body = ['-d', 'query=SELECT', 'https://upload.wiki.test/sparql']
    const command = [...curl(page('en.wiki.test', 'Box'), picture), '--next', '-sS', ...body]
    const recorded = await record(command, ['--others', 'record'])
    expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining('{"commons":"A"}') })
    expect(await replay(command)).toMatchObject({ code: 0, stdout: recorded.stdout })
  })
})

describe('what a run says', () => {
  it('fails if no request has reached it, unless that is allowed', async () => {
    const { record, replay } = await family()
    const asked = await record(['true'])
    expect([asked.code, asked.stderr]).toEqual([
      1,
      expect.stringContaining('no request reached wikitape'),
    ])
    expect((await record(['true'], ['--allow-none'])).code).toBe(0)
    await record(curl(page('en.wiki.test', 'Box')))
    expect((await replay(['true'])).code).toBe(1)
    expect((await replay(['true'], ['--allow-none'])).code).toBe(0)
  })

  it('says that a program does not trust its authority', async () => {
    const { record, cacert } = await family()
    const command = ['curl', '-sS', '--cacert', cacert, page('en.wiki.test', 'Box')]
    const { code, stderr } = await record(command)
    expect([code, stderr]).toEqual([
      60,
      expect.stringContaining('it does not trust the certificate'),
    ])
  })

  it('shows a program the failure of a wiki with an expired certificate, and records nothing', async () => {
    const { port } = await proxyTo(await tlsWiki('expired'))
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const cwd = temporaryFolder()
    const command = curl('-w', '%{http_code}', page('wiki.test', 'Box'))
    const args = ['record', '--cacert', authority, '--', ...command]
    const { code, stdout } = await run(args, { cwd, env })
    expect([code, stdout]).toEqual([3, expect.stringMatching(/has expired.*502/s)])
    expect(existsSync(path.join(cwd, 'cassettes'))).toBe(false)
  })

  it('says that the proxy in front wants a password', async () => {
    const { port } = await proxyTo(await tlsWiki('wiki'), { credentials: 'a:b' })
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const args = ['record', '--cacert', authority, '--', ...curl(page('wiki.test', 'Box'))]
    const { code, stdout } = await run(args, { cwd: temporaryFolder(), env })
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining('requires a user name and a password'),
    ])
  })

  it.each([
    ['--cassette', 'mine'],
    ['--header', 'X-Access: secret'],
  ])('refuses %s, which is for one wiki', async (flag, value) => {
    const { record } = await family()
    const { code, stderr } = await record(['true'], [flag, value])
    expect([code, stderr]).toEqual([2, expect.stringContaining('name the address')])
  })
})

it('intercepts the wiki of an address, and this machine with it, with --intercept', async () => {
  const { en, cwd } = await family()
  const command = curl(`${en.api}?action=query&format=json&prop=info&titles=Box`)
  const flags = ['--cassette', 'mine', '--intercept', '--', ...command]
  const recorded = await run(['record', en.api, ...flags], { cwd })
  expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining('titles=Box') })
  await en.close()
  const replayed = await run(['exec', ...flags], { cwd })
  expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringContaining('titles=Box')])
})

/* The rows of docs/any-program.md. Each program asks two wikis, whose addresses are in its code. */

const pages = ['en', 'commons'].map((name) => page(`${name}.wiki.test`, 'Box'))
const list = pages.map((one) => JSON.stringify(one)).join(', ')

const javaClient = `import java.net.URI; import java.net.http.*;
public class Client { public static void main(String[] a) throws Exception {
  for (String u : new String[] {${list}}) System.out.println(HttpClient.newHttpClient().send(
    HttpRequest.newBuilder(URI.create(u)).build(), HttpResponse.BodyHandlers.ofString()).body()); } }`
const javaUrl = `import java.net.URI;
public class Client { public static void main(String[] a) throws Exception {
  for (String u : new String[] {${list}})
    System.out.println(new String(URI.create(u).toURL().openStream().readAllBytes())); } }`
const goClient = `package main
import ("fmt"; "io"; "net/http")
func main() { for _, u := range []string{${list}} {
  r, err := http.Get(u); if err != nil { panic(err) }
  b, _ := io.ReadAll(r.Body); fmt.Println(string(b)) } }`
const aioClient = `import asyncio, aiohttp
async def main():
    async with aiohttp.ClientSession(trust_env=True) as s:
        for u in [${list}]:
            async with s.get(u) as r: print(await r.text())
asyncio.run(main())`

interface Row {
  /** The command, and a file for it. */
  readonly command: readonly string[]
  readonly file?: readonly [name: string, text: string]
  /** Succeeds where it is installed. */
  readonly probe: readonly string[]
}

/** Debian's own Python has Debian's packages. */
const python = '/usr/bin/python3'
const pythonRow = (module: string, text: string): Row => ({
  command: [python, '-c', text],
  probe: [python, '-c', `import ${module}`],
})

const rows: Readonly<Record<string, Row>> = {
  curl: { command: curl(...pages), probe: ['curl', '--version'] },
  wget: { command: ['wget', '-qO-', ...pages], probe: ['wget', '--version'] },
  'Python urllib': pythonRow(
    'urllib',
    `import urllib.request\nfor u in [${list}]: print(urllib.request.urlopen(u).read())`,
  ),
  'Python requests': pythonRow(
    'requests',
    `import requests\nfor u in [${list}]: print(requests.get(u).text)`,
  ),
  'Python httpx': pythonRow('httpx', `import httpx\nfor u in [${list}]: print(httpx.get(u).text)`),
  'Python aiohttp, trust_env': pythonRow('aiohttp', aioClient),
  'Node.js fetch': {
    command: [
      process.execPath,
      '--input-type=module',
      '--eval',
      `for (const u of [${list}]) console.log(await (await fetch(u)).text())`,
    ],
    probe: ['node', '--version'],
  },
  'Node.js https': {
    command: [
      process.execPath,
      '--input-type=module',
      '--eval',
      `import https from 'node:https'; for (const u of [${list}]) await new Promise((ok, no) => https.get(u, (r) => { r.pipe(process.stdout, { end: false }); r.on('end', ok) }).on('error', no))`,
    ],
    probe: ['node', '--version'],
  },
  'Ruby Net::HTTP': {
    command: ['ruby', '-rnet/http', '-e', `[${list}].each { |u| puts Net::HTTP.get(URI(u)) }`],
    probe: ['ruby', '--version'],
  },
  'PHP curl': {
    command: ['php', '-r', `foreach ([${list}] as $u) { $c = curl_init($u); curl_exec($c); }`],
    probe: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
  },
  'PHP streams': {
    command: ['php', 'client.php'],
    file: ['client.php', `<?php foreach ([${list}] as $u) echo file_get_contents($u);`],
    probe: ['php', '--version'],
  },
  'Perl LWP': {
    command: [
      'perl',
      '-MLWP::UserAgent',
      '-e',
      `for (${list.replaceAll('"', "'")}) { my $r = LWP::UserAgent->new->get($_); die $r->status_line unless $r->is_success; print $r->content }`,
    ],
    probe: ['perl', '-MLWP::Protocol::https', '-e', '1'],
  },
  'Perl HTTP::Tiny': {
    command: [
      'perl',
      '-MHTTP::Tiny',
      '-e',
      `for (${list.replaceAll('"', "'")}) { my $r = HTTP::Tiny->new(verify_SSL => 1)->get($_); die $r->{content} unless $r->{success}; print $r->{content} }`,
    ],
    probe: ['perl', '-MIO::Socket::SSL', '-e', '1'],
  },
  'Go net/http': {
    command: ['go', 'run', 'client.go'],
    file: ['client.go', goClient],
    probe: ['go', 'version'],
  },
  'Java HttpClient': {
    command: ['java', 'Client.java'],
    file: ['Client.java', javaClient],
    probe: ['java', '-version'],
  },
  'Java URL': {
    command: ['java', 'Client.java'],
    file: ['Client.java', javaUrl],
    probe: ['java', '-version'],
  },
  'R url()': {
    command: ['Rscript', '-e', `for (u in c(${list})) cat(readLines(u, warn = FALSE))`],
    probe: ['Rscript', '--version'],
  },
  'R httr': {
    command: ['Rscript', '-e', `for (u in c(${list})) cat(httr::content(httr::GET(u), 'text'))`],
    probe: ['Rscript', '-e', 'library(httr)'],
  },
}

const isInstalled = ([name = '', ...args]: readonly string[]): boolean =>
  spawnSync(name, args).status === 0

describe('programs as they are', () => {
  it('are the rows of docs/any-program.md', () => {
    const text = readFileSync('docs/any-program.md', 'utf8')
    const named = [...text.matchAll(/^\| ([^|]+?) +\| yes/gm)].map(([, name]) => name)
    expect(named.sort()).toEqual(Object.keys(rows).sort())
  })

  for (const [name, { command, file, probe }] of Object.entries(rows))
    it.skipIf(!isInstalled(probe))(name, { timeout: 180_000 }, async () => {
      const { cwd, record, replay, en } = await family()
      if (file !== undefined) writeFileSync(path.join(cwd, file[0]), file[1])
      const recorded = await record(command)
      expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining('titles=Box') })
      expect(recorded.stdout).toContain('commons')
      const asked = en.seen.length
      const replayed = await replay(command)
      expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout })
      expect([replayed.stderr.includes('live requests: 0'), en.seen.length]).toEqual([true, asked])
    })
})
