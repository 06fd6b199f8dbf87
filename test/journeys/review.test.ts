/** `wikitape review`, and `record --review`: what a client did wrong, from its recordings and the log of its run. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run, serving } from '../helpers/program.ts'

const listing = '?action=query&format=json&formatversion=2&list=allpages&aplimit=max'
const edit = 'action=edit&format=json&title=A&text=a&maxlag=5&token=%2B%5C'

interface Recorded {
  readonly dir: string
  readonly tape: string
  readonly log: string
  readonly printed: string
}

async function record(): Promise<Recorded> {
  const dir = temporaryFolder()
  const tape = path.join(dir, 'tape')
  const log = path.join(dir, 'run.jsonl')
  let edits = 0
  const wiki = await fakeWiki((params) => {
    if (params.get('action') === 'edit') {
      edits += 1
      if (edits > 1) return '{"edit":{"result":"Success","title":"A"}}'
      const headers = { 'retry-after': '5', 'mediawiki-api-error': 'maxlag' }
      return {
        headers,
        body: '{"error":{"code":"maxlag","info":"Waiting for a host: 7 seconds lagged"}}'
      }
    }
    if (params.has('meta')) return '{"query":{"general":{}}}'
    return '{"continue":{"apcontinue":"B","continue":"-||"},"query":{"allpages":[{"pageid":1,"ns":0,"title":"A"}]}}'
  })
  const recording = await serving([
    'record',
    wiki.api,
    '--cassette',
    tape,
    '--log',
    log,
    '--review'
  ])
  const headers = { 'user-agent': 'First/1.0 (bob@example.org)' }
  await ask(`${recording.api}${listing}`, { headers })
  const posted = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  for (const _ of [1, 2])
    await ask(recording.api, { method: 'POST', headers: posted, body: edit })
  await ask(`${recording.api}?action=query&format=json&meta=siteinfo`, {
    headers: { 'user-agent': 'curl/8' }
  })
  const { stderr } = await recording.stop()
  return { dir, tape, log, printed: stderr }
}

const rulesIn = (json: string): unknown =>
  JSON.parse(json).findings.map(({ rule, agent }: { rule: string; agent: string }) => [
    rule,
    agent
  ])

it('prints after a recording what the client did, by User-Agent', async () => {
  const { printed } = await record()
  expect(printed).toContain(
    'error  continue-not-followed: answers were cut (First/1.0 (redacted@example.invalid))'
  )
  expect(printed).toContain('error  retry-after-ignored: ')
  expect(printed).toContain('warning  no-contact: a User-Agent without contact (curl/8)')
  expect(printed).not.toContain('no-maxlag')
})

it('says the same later, from the log', async () => {
  const { tape, log } = await record()
  const { code, stdout } = await run(['review', tape, '--log', log, '--json'])
  expect(code).toBe(1)
  expect(rulesIn(stdout)).toEqual([
    ['continue-not-followed', 'First/1.0 (redacted@example.invalid)'],
    ['retry-after-ignored', 'First/1.0 (redacted@example.invalid)'],
    ['no-contact', 'curl/8'],
    ['no-formatversion', 'curl/8']
  ])
})

it('reviews without a log what the recordings alone prove, and says what it left out', async () => {
  const { tape } = await record()
  const { code, stdout } = await run(['review', tape])
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /continue-not-followed[\s\S]*no-formatversion[\s\S]*not checked: pages one by one, User-Agent/
  )
  expect(stdout).not.toContain('retry-after-ignored')
})

it('fails from the severity on that is asked for', async () => {
  const { tape } = await record()
  const codes = ['error', 'note', 'none'].map(
    async (level) => (await run(['review', tape, '--fail-on', level])).code
  )
  expect(await Promise.all(codes)).toEqual([1, 1, 0])
  expect((await run(['review', path.resolve('cassettes/ru-1.43')])).code).toBe(0)
  expect(
    (await run(['review', path.resolve('cassettes/ru-1.43'), '--fail-on', 'warning']))
      .code
  ).toBe(1)
})

it('writes Markdown and SARIF', async () => {
  const { dir, tape, log } = await record()
  const markdown = path.join(dir, 'review.md')
  const sarif = path.join(dir, 'review.sarif')
  await run(['review', tape, '--log', log, '--format', 'markdown', '--output', markdown])
  await run(['review', tape, '--log', log, '--format', 'sarif', '--output', sarif])
  expect(readFileSync(markdown, 'utf8')).toContain(
    '(https://www.mediawiki.org/wiki/API:Continue)'
  )
  const [{ results, tool }] = JSON.parse(readFileSync(sarif, 'utf8')).runs
  expect(results[0]).toMatchObject({ ruleId: 'continue-not-followed', level: 'error' })
  expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toMatch(
    /tape\/query\.allpages\/.*\.json$/
  )
  expect(tool.driver.rules[0].helpUri).toBe('https://www.mediawiki.org/wiki/API:Continue')
})

it('refuses a log of another cassette, and a file that is no log', async () => {
  const { dir, tape, log } = await record()
  const other = path.join(dir, 'other.jsonl')
  writeFileSync(other, readFileSync(log, 'utf8').replaceAll('tape', 'other'))
  expect(await run(['review', tape, '--log', other])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no request for')
  })
  writeFileSync(other, '127.0.0.1 - - "GET /w/api.php"\n')
  expect(await run(['review', tape, '--log', other])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(':1 is not of a log that record or replay writes')
  })
  expect(await run(['review', tape, '--log', `${other}x`])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot read')
  })
})
