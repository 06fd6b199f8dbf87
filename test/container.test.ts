/** What the container's image is built from, as it is written; scripts/container.ts runs its steps and what comes of them. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { contextFilter, stagesOf, wordsOf } from '../scripts/container/dockerfile.ts'

const textOf = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8')

const text = textOf('Dockerfile')
const stages = stagesOf(text)
const steps = stages.flatMap((stage) => stage.steps)

describe('the Dockerfile', () => {
  it('is sound', () => {
    expect(validate(text)).toEqual([])
  })

  it('installs what the lockfile names, and runs no script of a package', () => {
    const installs = steps
      .flatMap(({ rest }) => rest.match(/npm (?:ci|i|install|add|exec)\b[^&;]*/g) ?? [])
      .map((command) => command.trim())
    expect(installs).toEqual([
      'npm ci --ignore-scripts',
      'npm ci --omit=dev --ignore-scripts'
    ])
  })

  it('has one base, which a release names by its digest', () => {
    const bases = text.match(/^FROM .*$/gm) ?? []
    expect(bases.every((line) => /^FROM \$\{NODE_IMAGE\}(?: AS \w+)?$/.test(line))).toBe(
      true
    )
    expect(bases).toHaveLength(2)
  })

  it('serves as a user that is not root, by number, and says whether it is healthy', () => {
    const last = stages.at(-1)?.steps ?? []
    const rest = (word: string): string =>
      last.find((step) => step.word === word)?.rest ?? ''
    expect(rest('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(rest('HEALTHCHECK')).toContain('/__wikitape/summary')
    expect(wordsOf(rest('ENTRYPOINT'))).toEqual(['wikitape'])
  })
})

it('.dockerignore leaves out what may hold secrets of whoever builds, in every folder', () => {
  const reaches = contextFilter(textOf('.dockerignore'))
  const names = [
    '.env',
    '.env.local',
    '.npmrc',
    'key.pem',
    'tls.key',
    'node_modules/a.js'
  ]
  const places = names.flatMap((name) => [name, `docs/${name}`, `a/b/${name}`])
  expect(places.filter(reaches)).toEqual([])
  expect(['.git/config', 'dist/a.js', 'test/a.ts'].filter(reaches)).toEqual([])
  expect(
    ['src/a.ts', 'docs/environment.md', 'package.json'].filter(reaches)
  ).toHaveLength(3)
})
