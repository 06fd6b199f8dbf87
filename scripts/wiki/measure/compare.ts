/**
 * Do two labs, built apart, answer byte for byte alike? Left out of the comparison: debuginfo, the port in URLs,
 * and what the clock of a running server decides.
 */
import {
  type LabVersion,
  labAccounts,
  labPort,
  labUrl,
  labVersions,
  wikiAnswering
} from '../lab.ts'
import { WikiSession } from '../session.ts'
import { adminCalls, comparedCalls } from './calls.ts'

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

function firstDifference(
  query: string,
  one: string,
  other: string
): Difference | undefined {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at += 1
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 100)
  return { query, at, one: around(one), other: around(other) }
}

type Pair = readonly [number, number]

async function compareVersion(
  version: LabVersion,
  bases: Pair,
  print: (line: string) => void
): Promise<readonly Difference[]> {
  const anonymous = bases.map((base) => new WikiSession(labUrl(version, base)))
  const admins = await Promise.all(
    bases.map((base) => WikiSession.of(labUrl(version, base), labAccounts.admin))
  )
  const asked = [
    ...comparedCalls.map((query) => ({ query, as: anonymous })),
    ...adminCalls.map((query) => ({ query, as: admins }))
  ]
  const both = asked.flatMap(({ query, as }) =>
    [query, `${query}&formatversion=2`].map((spelling) => ({ query: spelling, as }))
  )
  const differences: Difference[] = []
  let characters = 0
  for (const { query, as } of both) {
    const [one = '', other = ''] = await Promise.all(
      as.map((session, index) =>
        comparableAnswer(session, query, labPort(version, bases[index]))
      )
    )
    characters += one.length
    const difference = firstDifference(query, one, other)
    if (difference !== undefined) differences.push(difference)
  }
  const alike = both.length - differences.length
  print(
    `${version}: ${alike} of ${both.length} answers alike, ${characters} characters compared`
  )
  return differences
}

async function comparableAnswer(
  session: WikiSession,
  query: string,
  port: number
): Promise<string> {
  const { status, body } = await session.raw(`${query}&format=json`)
  return `${status} ${comparable(body, port)}`
}

/** Prints a line a version and every difference; true when there is none. */
export async function compareLabs(
  bases: Pair,
  print: (line: string) => void
): Promise<boolean> {
  let alike = true
  for (const version of labVersions) {
    const answering = await Promise.all(
      bases.map((base) => wikiAnswering(labUrl(version, base)))
    )
    if (answering.includes(undefined)) {
      print(`${version}: not answering in both labs`)
      continue
    }
    for (const difference of await compareVersion(version, bases, print)) {
      print(
        `  ${decodeURIComponent(difference.query)}\n    - ${difference.one}\n    + ${difference.other}`
      )
      alike = false
    }
  }
  return alike
}
