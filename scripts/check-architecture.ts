/**
 * `tsx scripts/check-architecture.ts`: holds src/ against ARCHITECTURE.md. Its tables name each folder with its layer: a file
 * imports only from lower layers or its own folder. Besides: no import circle, not even of types; file and folder sizes;
 * one file name, one file. Prints each fault; exits with 1 where there is one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const maxLines = 290
const maxFiles = 12
/** Below this layer a file is a function of its arguments: nothing of Node.js, no server. */
const firstLayerWithNode = 7
const serverModules = /^(?:node:|express$|http-proxy$|lowdb(?:\/|$))/

const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')
const layers: ReadonlyMap<string, number> = new Map(
  [...architecture.matchAll(/^\| *(\d+) *\| *`((?:[a-z-]+\/)+)`/gm)].map(
    ([, layer = '', folder = '']) => [folder.slice(0, -1), Number(layer)],
  ),
)
/** Pure files that use Node.js all the same, with the reason beside them in ARCHITECTURE.md. */
const exceptions = [
  ...(/^\(Exceptions: .*\)$/m.exec(architecture)?.[0] ?? '').matchAll(/`([\w/-]+\.ts)`/g),
].map(([, file]) => file)

/** Files with their text, by their path below src/. */
const files: ReadonlyMap<string, string> = new Map(
  readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.c?ts$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(path.join(root, 'src', name), 'utf8')]),
)

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g
const importsOf = (file: string): readonly string[] =>
  [...(files.get(file) ?? '').matchAll(importPattern)].map(([, name = '']) => name)
const localImports = (file: string): readonly string[] =>
  importsOf(file)
    .map((name) => (name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : ''))
    .filter((name) => files.has(name))

/** The folders in which two files part; undefined where one of them lies loose in what they share. */
function partingFolders(from: string, to: string): readonly [string, string] | undefined {
  const a = from.split('/')
  const b = to.split('/')
  const depth = a.findIndex((part, at) => part !== b[at])
  const isFolder = (parts: readonly string[]): boolean => depth < parts.length - 1
  const folder = (parts: readonly string[]): string => parts.slice(0, depth + 1).join('/')
  return isFolder(a) && isFolder(b) ? [folder(a), folder(b)] : undefined
}

function* layerFaults(file: string): Generator<string> {
  for (const other of localImports(file)) {
    const parting = partingFolders(file, other)
    if (parting === undefined) continue
    const [own, imported] = parting.map((folder) => layers.get(folder))
    if (own === undefined || imported === undefined)
      yield `ARCHITECTURE.md has no row for ${parting.find((folder) => !layers.has(folder))}/`
    else if (imported >= own)
      yield `src/${file} imports src/${other}: ${parting[1]}/ (${imported}) is not below ${parting[0]}/ (${own})`
  }
  const layer = layers.get(file.split('/')[0] ?? '')
  const server = importsOf(file).find((name) => serverModules.test(name))
  if (
    layer !== undefined &&
    layer < firstLayerWithNode &&
    server !== undefined &&
    !exceptions.includes(file)
  )
    yield `src/${file} imports ${server}: layers below ${firstLayerWithNode} are functions of their arguments`
}

/** Groups of files that import each other (Tarjan's strongly connected components). */
function importCircles(): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const index = order.size
    order.set(file, index)
    let low = index
    stack.push(file)
    for (const other of localImports(file)) {
      if (!order.has(other)) low = Math.min(low, visit(other))
      else if (stack.includes(other))
        low = Math.min(low, lowest.get(other) ?? order.get(other) ?? low)
      lowest.set(file, low)
    }
    lowest.set(file, low)
    if (low === index) {
      const circle = stack.splice(stack.indexOf(file))
      if (circle.length > 1) circles.push(circle)
    }
    return low
  }
  for (const file of files.keys()) if (!order.has(file)) visit(file)
  return circles
}

function grouped(keyOf: (file: string) => string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const file of files.keys())
    groups.set(keyOf(file), [...(groups.get(keyOf(file)) ?? []), file])
  return groups
}

/** Formats have a reader and a writer each. */
const isFormat = (file: string): boolean =>
  /^import\/formats\/[\w-]+\/(?:read|write)\.ts$/.test(file)

function* sizeFaults(): Generator<string> {
  for (const [file, text] of files) {
    const lines = text.split('\n').length - 1
    if (lines > maxLines) yield `src/${file} has ${lines} lines; at most ${maxLines}`
  }
  for (const [folder, inside] of grouped((file) => path.posix.dirname(file)))
    if (inside.length > maxFiles)
      yield `src/${folder}/ has ${inside.length} files; at most ${maxFiles}`
  for (const [name, same] of grouped((file) => (isFormat(file) ? file : path.posix.basename(file))))
    if (same.length > 1)
      yield `${name} is the name of ${same.map((file) => `src/${file}`).join(' and ')}`
}

const faults = new Set([
  ...[...files.keys()].flatMap((file) => [...layerFaults(file)]),
  ...importCircles().map(
    (circle) => `import circle: ${circle.map((file) => `src/${file}`).join(' ↔ ')}`,
  ),
  ...sizeFaults(),
  ...[...layers.keys()]
    .filter((folder) => ![...files.keys()].some((file) => file.startsWith(`${folder}/`)))
    .map((folder) => `ARCHITECTURE.md names ${folder}/, which is no folder of src/`),
])
for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.size > 0) process.exitCode = 1
