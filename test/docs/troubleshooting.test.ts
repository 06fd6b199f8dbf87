/** Messages that the documentation explains are those that the program gives. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const page = readFileSync('docs/troubleshooting.md', 'utf8')
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:ts|json)$/.test(name))
  .map((name) => path.join('src', name))
// What an old Node.js is told stands before everything else.
const sources = [...files, 'src/cli/start.cts']
  .map((name) => readFileSync(name, 'utf8'))
  .join('\n')

const messages = [...page.matchAll(/\*\*`([^`]+)`\*\*/g)].map(([, message = '']) =>
  message.replace(/\s+/g, ' ')
)

it('explains more than a few', () => expect(messages.length).toBeGreaterThan(12))

/** Runs of words that hold no value: those are `…`, numbers, addresses, capitals and types. */
const fixedParts = (message: string): readonly string[] =>
  message.split(/…|"…"|\b\d+\b|\bDIR\b|[\w/.+-]*\/[\w/.+-]+/).flatMap((part) => {
    const words = part.replace(/^[\s:;,()"]+|[\s:;,()"]+$/g, '')
    return words.length > 3 ? [words] : []
  })

it.each(messages)('%s', (message) => {
  const parts = fixedParts(message)
  expect(parts.length).toBeGreaterThan(0)
  expect(parts.filter((part) => !sources.includes(part))).toEqual([])
})

it('names every reason of a miss', () => {
  const reasons =
    readFileSync('src/recorder/playback/lookup/near-miss.ts', 'utf8').match(
      /^ {2}\| '([\w-]+)'/gm
    ) ?? []
  expect(reasons.length).toBeGreaterThan(8)
  for (const reason of reasons) expect(page).toContain(`\`${reason.slice(5, -1)}\``)
})

/** What the verbs of drift say when they refuse, and what a comparison says of itself. */
const driftSources = files.filter((name) =>
  /src\/(?:drift\/(?:findings|noise)|cli\/(?:compare|commands\/compare))\/|\/drift-files\.ts$/.test(
    name
  )
)

/** Texts of errors, faults of files and remarks, up to the first value: `${…}`. */
const driftTexts = driftSources.flatMap((name) =>
  [
    ...readFileSync(name, 'utf8').matchAll(
      /(?:UsageError\(\s*|remark\('[\w-]+', |message: |none = |return )(?:'([^'\n]{20,})'|`([^`\n]{20,})`)/g
    )
  ].map(([, plain, template = plain ?? '']) => template)
)

it('explains every message of diff and accept', () => {
  expect(driftTexts.length).toBeGreaterThan(20)
  const words = page.replace(/\s+/g, ' ')
  const missing = driftTexts.filter((text) => {
    const parts = text
      .split(/\$\{[^}]*\}/)
      .flatMap((part) => fixedParts(part.split(/; (?:usage|record)/)[0] ?? ''))
    const [longest = ''] = parts.toSorted((a, b) => b.length - a.length)
    return longest.length > 12 && !words.includes(longest.slice(0, 60))
  })
  expect(missing).toEqual([])
})

it('has the words of every error that a user can get', () => {
  const words = page.replace(/\s+/g, ' ')
  const texts = files.flatMap((name) =>
    [
      ...readFileSync(name, 'utf8').matchAll(
        /new (?:Usage|Settings|ConnectionOptions)Error\(\s*(?:'([^'\n]{20,})'|`([^`\n]{20,})`|"([^"\n]{20,})")/g
      )
    ].map(([, plain, template, quoted]) => plain ?? template ?? quoted ?? '')
  )
  expect(texts.length).toBeGreaterThan(50)
  const missing = texts.filter((text) => {
    const parts = text
      .split(/\$\{[^}]*\}/)
      .flatMap(fixedParts)
      .map((part) => part.slice(0, 25))
    return (
      parts.some((part) => part.length > 11) &&
      !parts.some((part) => part.length > 11 && words.includes(part))
    )
  })
  expect(missing).toEqual([])
})
