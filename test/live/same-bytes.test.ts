/** The calls of the spec on real wikis: live answer less `debuginfo` = answer while recording = answer in replay. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { specCalls } from '../../scripts/recording/calls.ts'
import {
  type LabVersion,
  labUrl,
  labVersions,
  wikiAnswering
} from '../../scripts/wiki/lab.ts'
import { withoutDebuginfo } from '../helpers/debug-cut.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask, post } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { shareOf } from '../helpers/scale.ts'
import { someSpecCalls } from '../helpers/spec-calls.ts'

interface Call {
  readonly query: string
  readonly posted: boolean
}

/** The first spelling of each call in every envelope and as a POST. */
const more: readonly Call[] = specCalls
  .filter((query) => !/&(?:rawcontinue=|formatversion=2)$/.test(query))
  .flatMap((query) => [
    { query: `${query}&format=json&utf8=1`, posted: false },
    { query: `${query}&format=json&requestid=а%2F7`, posted: false },
    { query: `${query}&format=json&callback=fn`, posted: false },
    { query: `${query}&format=json`, posted: true }
  ])

interface Answer {
  readonly status: number
  readonly text: string
}

async function answerOf(api: string, { query, posted }: Call): Promise<Answer> {
  const { status, text } = posted ? await post(api, query) : await ask(`${api}?${query}`)
  return { status, text }
}

/** The parser's reports hold times, which two live answers never share. */
const withoutTimes = (text: string): string =>
  text.replace(/<!-- ?(?:\\n)?(?:NewPP|Transclusion|Saved in).*?-->/g, '')

/** Each wiki is asked every call in one of its spellings, and each spelling of one wiki; with WIKITAPE_TESTS=full all of all. */
function callsFor(version: LabVersion): readonly Call[] {
  const wiki = labVersions.indexOf(version)
  const plain = someSpecCalls(wiki).map((query) => ({
    query: `${query}&format=json`,
    posted: false
  }))
  return [...plain, ...shareOf(more, wiki, labVersions.length)].map(
    ({ query, posted }) => ({
      query: encodeURI(query).replaceAll('%252F', '%2F'),
      posted
    })
  )
}

async function measure(
  version: LabVersion,
  calls: readonly Call[]
): Promise<readonly string[]> {
  const cassette = path.join(temporaryFolder(), 'tape')
  const recording = await startProxy(labUrl(version), { cassette, mode: 'all' })
  const live: Answer[] = []
  const recorded: Answer[] = []
  for (const call of calls) {
    const [wiki, record] = await Promise.all([
      answerOf(labUrl(version), call),
      answerOf(recording.api, call)
    ])
    live.push({ ...wiki, text: withoutDebuginfo(wiki.text) })
    recorded.push(record)
  }
  await recording.close()
  const replay = await startProxy(undefined, { cassette })
  const differing: string[] = []
  for (const [at, call] of calls.entries()) {
    const replayed = await answerOf(replay.api, call)
    const wiki = live[at]
    const record = recorded[at]
    const sameLive =
      wiki?.status === record?.status &&
      withoutTimes(wiki?.text ?? '') === withoutTimes(record?.text ?? '-')
    const sameReplay = record?.status === replayed.status && record.text === replayed.text
    if (!sameLive || !sameReplay)
      differing.push(
        `${call.posted ? 'POST ' : ''}${decodeURI(call.query)}\nlive   ${wiki?.text.slice(0, 600)}\nrecord ${record?.text.slice(0, 600)}\nreplay ${replayed.text.slice(0, 600)}`
      )
  }
  expect(replay.rack.counts().liveRequests).toBe(0)
  return differing
}

describe('live, record and replay', () => {
  it.each(labVersions)('say the same bytes on %s', async (version) => {
    const answering = await wikiAnswering(labUrl(version))
    expect(
      answering,
      `MediaWiki ${version} must run: npm run wiki -- up ${version}`
    ).toBeDefined()
    const calls = callsFor(version)
    const differing = await measure(version, calls)
    process.stdout.write(
      `MediaWiki ${answering}: ${calls.length - differing.length} of ${calls.length} calls the same live, in record and in replay\n`
    )
    expect(differing).toEqual([])
  })
})
