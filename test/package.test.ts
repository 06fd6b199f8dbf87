/** What people install: the package, and the lock file that builds it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (name: string): string => readFileSync(path.join(root, name), 'utf8')

interface Locked {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

describe('the lock file', () => {
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
    textOf('package-lock.json')
  )

  it('has every optional package, also those for other systems: npm ci refuses it otherwise', () => {
    const missing = Object.entries(packages).flatMap(
      ([place, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).filter(
          (name) =>
            packages[`node_modules/${name}`] === undefined &&
            packages[`${place}/node_modules/${name}`] === undefined
        )
    )
    expect(missing).toEqual([])
  })

  it('names no registry', () => {
    expect(
      Object.values(packages).filter(({ resolved }) => resolved !== undefined)
    ).toEqual([])
  })
})

const [packed] = JSON.parse(
  spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8'
  }).stdout
) as [{ size: number; files: { path: string }[] }]

const files = packed.files.map((one) => one.path)

const manifest: {
  scripts: Record<string, string>
  dependencies: Record<string, string>
} = JSON.parse(textOf('package.json'))

/** Declarations that a user's program reads, from those of the package's exports on. */
function declarationsFrom(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, named = ''] of textOf(file).matchAll(/from '(\.[^']+)'/g)) {
    const target = path.posix.join(path.posix.dirname(file), named)
    if (target.endsWith('.json')) seen.add(target)
    else declarationsFrom(target.replace(/(?:\.d)?\.(c?)[jt]s$/, '.d.$1ts'), seen)
  }
  return seen
}

it('declarations that users read import no JSON, which many settings of TypeScript refuse', () => {
  const { exports } = JSON.parse(textOf('package.json'))
  const entries = JSON.stringify(exports).match(/dist\/[^"]+\.d\.ts/g) ?? []
  const read = entries.flatMap((entry) => [...declarationsFrom(entry)])
  expect(read.length).toBeGreaterThan(entries.length)
  expect(read.filter((file) => file.endsWith('.json'))).toEqual([])
})

describe('the files of the package', () => {
  it('holds the program, its documentation, and nothing else', () => {
    const expected =
      /^(?:dist\/commonjs\/licenses\.md|dist\/.+\.(?:c?js|js\.map|d\.c?ts|json|css|html|svg)|docs\/.+\.(?:md|png|json)|man\/wikitape\.1|python\/wikitape_pytest\.py|examples\/README\.md|package\.json|LICENSE|[A-Z]+\.md)$/
    expect(files.filter((name) => !expected.test(name))).toEqual([])
    expect(packed.size).toBeLessThan(1_780_000)
  })

  it('holds every type that those who import it can reach', () => {
    const { exports } = JSON.parse(textOf('package.json')) as { exports: object }
    const named = JSON.stringify(exports).matchAll(/"types":"([^"]+)"/g)
    const reached = new Set([...named].map(([, types = '']) => path.normalize(types)))
    // A set goes on over what is added to it meanwhile.
    for (const file of reached)
      for (const [, name = ''] of textOf(file).matchAll(/['"](\.[^'"]+)\.[jt]s['"]/g))
        reached.add(path.join(path.dirname(file), `${name}.d.ts`))
    expect(reached.size).toBeGreaterThan(50)
    expect([...reached].filter((name) => !files.includes(name))).toEqual([])
  })

  it('holds everything that its modules read or begin', () => {
    const { posix } = path
    const imported = /\b(?:from|import|require)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g
    const read = files
      .filter((name) => /^dist\/(?!browser).+\.c?js$/.test(name))
      .flatMap((name) =>
        [...textOf(name).matchAll(imported)].map(([, other = '']) =>
          posix.join(posix.dirname(name), other)
        )
      )
    // What packageFile names: only from folders as deep as those of src/.
    const asking = files.filter(
      (name) => name.endsWith('.js') && /import\.meta\.url/.test(textOf(name))
    )
    expect(asking.filter((name) => !name.startsWith('dist/parts/'))).toEqual([])
    read.push('dist/recorder/knowledge/data')
    const isThere = (place: string): boolean =>
      files.some((name) => name === place || name.startsWith(`${place}/`))
    expect(read.filter((place) => !isThere(place))).toEqual([])
  })
})

describe('the package on Node.js and with nock', () => {
  it('tells an older Node.js which one it needs, the one of its engines', () => {
    const { engines } = JSON.parse(textOf('package.json')) as {
      readonly engines: { readonly node: string }
    }
    expect(engines.node).toMatch(/^\^20\.19\.0/)
    for (const file of ['dist/cli/start.cjs', 'dist/supported-node.js'])
      expect(textOf(file)).toContain("const oldest = '20.19'")
  })

  it('brings nock, which takes over node:http, only into the entry that is named after it', () => {
    const imported = /\b(?:from|import|require)\s*\(?\s*"([^"]+)"/g
    const reachedFrom = (entry: string): ReadonlySet<string> => {
      const reached = new Set([entry])
      for (const name of reached)
        if (name.startsWith('dist/'))
          for (const [, other = ''] of textOf(name).matchAll(imported))
            reached.add(
              other.startsWith('.')
                ? path.posix.join(path.posix.dirname(name), other)
                : other
            )
      return reached
    }
    const entries = files.filter((name) => /^dist\/(?!parts|browser).+\.c?js$/.test(name))
    expect(entries).toContain('dist/cli/main.js')
    expect(entries.filter((name) => reachedFrom(name).has('nock'))).toEqual([
      'dist/integrations/nock/insert-cassette.js'
    ])
    expect(reachedFrom('dist/index.js').size).toBeGreaterThan(10)
  })
})

describe('the links, pages and dependencies of the package', () => {
  it('has no link that leads out of it: nobody who installs it has the repository', () => {
    const isThere = (target: string): boolean =>
      files.includes(target) ||
      files.some((name) => name.startsWith(target.replace(/\/?$/, '/')))
    const lost = files
      .filter((name) => name.endsWith('.md'))
      .flatMap((page) =>
        [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
          .map(([, target = '']) => target.replace(/#.*/, ''))
          .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
          .filter(
            (target) =>
              !isThere(path.posix.join(path.posix.dirname(page), decodeURI(target)))
          )
          .map((target) => `${page}: ${target}`)
      )
    expect(lost).toEqual([])
  })

  it('brings its pages for browsers along, in at most 45 KB compressed beside their source map', () => {
    const report = files.filter((name) => name.startsWith('dist/browser/report/'))
    expect(report.map((name) => path.basename(name)).sort()).toEqual([
      'report.css',
      'report.html',
      'report.js'
    ])
    const pages = files.filter(
      (name) => name.startsWith('dist/browser/') && !report.includes(name)
    )
    expect(pages).toContain('dist/browser/index.html')
    expect(pages.filter((name) => name.endsWith('.map'))).toHaveLength(1)
    const shipped = pages.filter((name) => !name.endsWith('.map'))
    const bytes = shipped.map(
      (name) => gzipSync(readFileSync(path.join(root, name))).length
    )
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(45_000)
  })

  it('holds all that its first page links to', () => {
    const links = [...textOf('README.md').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(
      ([, link = '']) => link
    )
    const local = links.filter((link) => !/^[a-z]+:/.test(link))
    expect(local.length).toBeGreaterThan(10)
    expect(
      local.filter(
        (link) => !files.some((file) => file === link || file.startsWith(link))
      )
    ).toEqual([])
  })

  it('runs nothing when it is installed', () => {
    expect(Object.keys(manifest.scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:pre|post)?install$/)])
    )
  })

  it('depends on nothing without a reason that is written down', () => {
    const reasons = textOf('docs/decisions/0093-what-wikitape-depends-on.md')
    const named = [...reasons.matchAll(/^\| `([^`]+)` /gm)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted())
  })
})
