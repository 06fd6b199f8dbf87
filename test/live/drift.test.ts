/** No false alarm on real wikis: recorded twice, through another host, without debuginfo, with other page ids. */
import { cpSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type LabVersion,
  labPortBase,
  labUrl,
  labVersions,
  labWikisAnswering,
  wikiAnswering,
} from '../../scripts/wiki/lab.ts'
import { keptHeaders } from '../../src/cassette/interaction.ts'
import { withoutDebuginfo } from '../helpers/debug-cut.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { type Run, run } from '../helpers/program.ts'
import { httpStandIn } from '../helpers/upstreams.ts'

interface Found {
  readonly kind: string
  readonly axis: string
  readonly scope: string
  readonly place: string
}

/** What was found and remarked, a line each. */
function told({ stdout, stderr }: Run): { readonly findings: readonly Found[]; readonly remarks: unknown } {
  if (stdout === '') throw new Error(stderr)
  const { findings, remarks }: { findings: Found[]; remarks: unknown } = JSON.parse(stdout)
  return { findings, remarks }
}

const cassette = (version: LabVersion): string => `cassettes/ru-${version}`

/** The wiki under another host, port and database, its answers less `debuginfo`. */
async function elsewhere(version: LabVersion): Promise<string> {
  const { origin: real } = new URL(labUrl(version))
  const wiki = await httpStandIn((seen, response) => {
    const own = `localhost:${new URL(wiki.origin).port}`
    const body = seen.method === 'POST' ? new Uint8Array(seen.body) : null
    const headers = { 'content-type': seen.headers['content-type'] ?? 'text/plain' }
    fetch(`${real}${seen.target}`, { method: seen.method, body, headers })
      .then(async (answer) => {
        const text = withoutDebuginfo(await answer.text())
        for (const name of [...keptHeaders, 'set-cookie']) {
          const value = answer.headers.get(name)
          if (value !== null) response.setHeader(name, value)
        }
        response.statusCode = answer.status
        response.end(text.replaceAll(new URL(real).host, own))
      })
      .catch(() => response.destroy())
  })
  return `http://localhost:${new URL(wiki.origin).port}/w/api.php`
}

const answering = await labWikisAnswering()
const renumbered = (version: LabVersion): string => labUrl(version, labPortBase('reversed'))
const reversed: LabVersion[] = []
for (const version of labVersions)
  if ((await wikiAnswering(renumbered(version))) !== undefined) reversed.push(version)

describe('the same wiki', () => {
  it('is there (npm run wiki -- up)', () => {
    expect(answering).toEqual(labVersions)
  })

  it.each(answering)('%s, recorded twice: nothing is found', async (version) => {
    const result = await run(['diff', cassette(version), labUrl(version), '--json', '--fail-on', 'any'])
    expect(told(result)).toEqual({ findings: [], remarks: [] })
    expect(result.code).toBe(0)
  })

  it.each(answering)('%s, under another host and without debuginfo: nothing is found', async (version) => {
    const result = await run(['diff', cassette(version), await elsewhere(version), '--json'])
    expect(told(result)).toEqual({ findings: [], remarks: [] })
  })

  it.each(answering)('%s, refreshed: not one file changes', async (version) => {
    const copy = path.join(temporaryFolder(), 'tape')
    cpSync(cassette(version), copy, { recursive: true })
    const { code, stdout } = await run(['refresh', copy, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ changed: 0, dropped: 0, skipped: 0 })
    expect(filesIn(copy)).toEqual(filesIn(cassette(version)))
  })

  /** `npm run wiki -- up 1.43 --order reversed` */
  it.runIf(reversed.length > 0).each(reversed)(
    '%s, made in another order: other ids, but the same behaviour',
    async (version) => {
      const { findings, remarks } = told(
        await run(['diff', cassette(version), renumbered(version), '--json']),
      )
      expect([findings.filter(({ axis }) => axis !== 'data'), remarks]).toEqual([[], []])
      expect(findings.length).toBeGreaterThan(0)
    },
  )
})
