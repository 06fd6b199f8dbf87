import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Locked {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

it('the lock file has every optional package, also those for other systems: npm ci refuses it otherwise', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        lock.packages[`node_modules/${name}`] === undefined &&
        lock.packages[`${path}/node_modules/${name}`] === undefined,
    ),
  )
  expect(missing).toEqual([])
})

it('the lock file names no registry', () => {
  expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})
