/** The rows of docs/any-program.md: each program asks two wikis, whose addresses are in its code. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { curl, family, page } from '../helpers/named-wikis.ts'

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
  probe: [python, '-c', `import ${module}`]
})

const rows: Readonly<Record<string, Row>> = {
  curl: { command: curl(...pages), probe: ['curl', '--version'] },
  wget: { command: ['wget', '-qO-', ...pages], probe: ['wget', '--version'] },
  'Python urllib': pythonRow(
    'urllib',
    `import urllib.request\nfor u in [${list}]: print(urllib.request.urlopen(u).read())`
  ),
  'Python requests': pythonRow(
    'requests',
    `import requests\nfor u in [${list}]: print(requests.get(u).text)`
  ),
  'Python httpx': pythonRow(
    'httpx',
    `import httpx\nfor u in [${list}]: print(httpx.get(u).text)`
  ),
  'Python aiohttp, trust_env': pythonRow('aiohttp', aioClient),
  'Node.js fetch': {
    command: [
      process.execPath,
      '--input-type=module',
      '--eval',
      `for (const u of [${list}]) console.log(await (await fetch(u)).text())`
    ],
    probe: ['node', '--version']
  },
  'Node.js https': {
    command: [
      process.execPath,
      '--input-type=module',
      '--eval',
      `import https from 'node:https'; for (const u of [${list}]) await new Promise((ok, no) => https.get(u, (r) => { r.pipe(process.stdout, { end: false }); r.on('end', ok) }).on('error', no))`
    ],
    probe: ['node', '--version']
  },
  'Ruby Net::HTTP': {
    command: [
      'ruby',
      '-rnet/http',
      '-e',
      `[${list}].each { |u| puts Net::HTTP.get(URI(u)) }`
    ],
    probe: ['ruby', '--version']
  },
  'PHP curl': {
    command: [
      'php',
      '-r',
      `foreach ([${list}] as $u) { $c = curl_init($u); curl_exec($c); }`
    ],
    probe: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);']
  },
  'PHP streams': {
    command: ['php', 'client.php'],
    file: ['client.php', `<?php foreach ([${list}] as $u) echo file_get_contents($u);`],
    probe: ['php', '--version']
  },
  'Perl LWP': {
    command: [
      'perl',
      '-MLWP::UserAgent',
      '-e',
      `for (${list.replaceAll('"', "'")}) { my $r = LWP::UserAgent->new->get($_); die $r->status_line unless $r->is_success; print $r->content }`
    ],
    probe: ['perl', '-MLWP::Protocol::https', '-e', '1']
  },
  'Perl HTTP::Tiny': {
    command: [
      'perl',
      '-MHTTP::Tiny',
      '-e',
      `for (${list.replaceAll('"', "'")}) { my $r = HTTP::Tiny->new(verify_SSL => 1)->get($_); die $r->{content} unless $r->{success}; print $r->{content} }`
    ],
    probe: ['perl', '-MIO::Socket::SSL', '-e', '1']
  },
  'Go net/http': {
    command: ['go', 'run', 'client.go'],
    file: ['client.go', goClient],
    probe: ['go', 'version']
  },
  'Java HttpClient': {
    command: ['java', 'Client.java'],
    file: ['Client.java', javaClient],
    probe: ['java', '-version']
  },
  'Java URL': {
    command: ['java', 'Client.java'],
    file: ['Client.java', javaUrl],
    probe: ['java', '-version']
  },
  'R url()': {
    command: ['Rscript', '-e', `for (u in c(${list})) cat(readLines(u, warn = FALSE))`],
    probe: ['Rscript', '--version']
  },
  'R httr': {
    command: [
      'Rscript',
      '-e',
      `for (u in c(${list})) cat(httr::content(httr::GET(u), 'text'))`
    ],
    probe: ['Rscript', '-e', 'library(httr)']
  }
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
      expect(recorded).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('titles=Box')
      })
      expect(recorded.stdout).toContain('commons')
      const asked = en.seen.length
      const replayed = await replay(command)
      expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout })
      expect([replayed.stderr.includes('live requests: 0'), en.seen.length]).toEqual([
        true,
        asked
      ])
    })
})
