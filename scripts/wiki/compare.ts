/**
 * `tsx scripts/wiki/compare.ts [PORT_BASE [OTHER_PORT_BASE]]`: do two labs, built apart, answer byte for byte alike?
 * Left out of the comparison: debuginfo, the port in URLs, and what the clock of a running server decides.
 */
import { type LabVersion, labPort, labUrl, labVersions, wikiAnswering } from './lab.ts'
import { comparedCalls } from './measure/calls.ts'
import { call, type Session } from './measure/session.ts'

function comparable(body: string, port: number): string {
  return body
    .replace(/,?"debuginfo":\{.*\}(?=\}$)/s, '')
    .replaceAll(`127.0.0.1:${port}`, '127.0.0.1:PORT')
    .replaceAll(/<!-- ?\\n(?:NewPP|Transclusion).*?-->/g, '<!-- limit report -->')
    .replaceAll(/"(time|servertime|curtimestamp)":"2026-01-01T[^"]*"/g, '"$1":"NOW"')
}

interface Difference {
  readonly query: string
  readonly at: number
  readonly one: string
  readonly other: string
}

function firstDifference(query: string, one: string, other: string): Difference | undefined {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at += 1
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 100)
  return { query, at, one: around(one), other: around(other) }
}

async function compareVersion(
  version: LabVersion,
  bases: readonly [number, number],
): Promise<readonly Difference[]> {
  const sessions = bases.map((base): Session => ({ apiUrl: labUrl(version, base), cookies: new Map() }))
  const differences: Difference[] = []
  let bytes = 0
  const queries = comparedCalls.flatMap((query) => [query, `${query}&formatversion=2`])
  for (const query of queries) {
    const replies = await Promise.all(sessions.map((session) => call(session, `${query}&format=json`)))
    const [one = '', other = ''] = replies.map(({ body, status }, index) => {
      const text = comparable(body, labPort(version, bases[index] ?? bases[0]))
      return `${status} ${text}`
    })
    bytes += one.length
    const difference = firstDifference(query, one, other)
    if (difference !== undefined) differences.push(difference)
  }
  const alike = queries.length - differences.length
  console.log(`${version}: ${alike} of ${queries.length} answers alike, ${bytes} characters compared`)
  return differences
}

async function main(): Promise<void> {
  const [one = '8100', other = '18100'] = process.argv.slice(2)
  const bases = [Number(one), Number(other)] as const
  for (const version of labVersions) {
    const answering = await Promise.all(bases.map((base) => wikiAnswering(labUrl(version, base))))
    if (answering.includes(undefined)) {
      console.log(`${version}: not answering in both labs`)
      continue
    }
    for (const difference of await compareVersion(version, bases)) {
      console.log(
        `  ${decodeURIComponent(difference.query)}\n    - ${difference.one}\n    + ${difference.other}`,
      )
      process.exitCode = 1
    }
  }
}

await main()
