/**
 * `tsx scripts/check-architecture.ts`: holds src/ against ARCHITECTURE.md. Its tables name each folder with its layer: a file
 * imports only from lower layers or its own folder. Besides, in ui/ too: no import circle, not even of types; sizes of
 * files. In src/: sizes of folders; one file name, one file. Prints each fault; exits with 1 if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const maxLines = 250
const maxFiles = 12
/** Below this layer of recorder/ a file is a function of its arguments: nothing of Node.js, no server. */
const firstLayerWithNode = 7
const serverModules = /^(?:node:|express$|http-proxy$|lowdb(?:\/|$))/

const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')
const layers: ReadonlyMap<string, number> = new Map(
  [...architecture.matchAll(/^\| *(\d+) *\| *`((?:[a-z-]+\/)+)`/gm)].map(
    ([, layer = '', folder = '']) => [folder.slice(0, -1), Number(layer)]
  )
)
/** Pure files that use Node.js all the same, with the reason beside them in ARCHITECTURE.md. */
const exceptions = [
  ...(/^\(Exceptions: .*\)$/m.exec(architecture)?.[0] ?? '').matchAll(/`([\w/-]+\.ts)`/g)
].map(([, file]) => file)

/** Files with their text, by their path below a folder of the project. */
const filesBelow = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:c?ts|tsx)$/.test(name))
      .sort()
      .map((name) => [name, readFileSync(path.join(root, folder, name), 'utf8')])
  )
const files = filesBelow('src')
/** What runs in the browser: no layers, and no import circle either. */
const pageFiles = filesBelow('ui')

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g
const importsOf = (file: string, among = files): readonly string[] =>
  [...(among.get(file) ?? '').matchAll(importPattern)].map(([, name = '']) => name)
const localImports = (file: string, among = files): readonly string[] =>
  importsOf(file, among)
    .map((name) =>
      name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : ''
    )
    .filter((name) => among.has(name))

/** The folders in which two files part; undefined where one of them lies loose in what they share. */
function partingFolders(from: string, to: string): readonly [string, string] | undefined {
  const a = from.split('/')
  const b = to.split('/')
  const depth = a.findIndex((part, at) => part !== b[at])
  const isFolder = (parts: readonly string[]): boolean => depth < parts.length - 1
  const folder = (parts: readonly string[]): string => parts.slice(0, depth + 1).join('/')
  return isFolder(a) && isFolder(b) ? [folder(a), folder(b)] : undefined
}

function isPure(file: string): boolean {
  const [part, room] = file.split('/')
  if (part === 'recorder')
    return (layers.get(`${part}/${room}`) ?? firstLayerWithNode) < firstLayerWithNode
  return part === 'review' || (part === 'drift' && room !== 'report')
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
  const server = importsOf(file).find((name) => serverModules.test(name))
  if (isPure(file) && server !== undefined && !exceptions.includes(file))
    yield `src/${file} imports ${server}: ARCHITECTURE.md says that it is a function of its arguments`
}

/** Groups of files that import each other (Tarjan's strongly connected components). */
function importCircles(
  among: ReadonlyMap<string, string>
): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const index = order.size
    order.set(file, index)
    let low = index
    stack.push(file)
    for (const other of localImports(file, among)) {
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
  for (const file of among.keys()) if (!order.has(file)) visit(file)
  return circles
}

function grouped(
  keyOf: (file: string) => string
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const file of files.keys())
    groups.set(keyOf(file), [...(groups.get(keyOf(file)) ?? []), file])
  return groups
}

/** Formats have a reader and a writer each. */
const isFormat = (file: string): boolean =>
  /^import\/formats\/[\w-]+\/(?:read|write)\.ts$/.test(file)

function* lineFaults(
  place: string,
  among: ReadonlyMap<string, string>
): Generator<string> {
  for (const [file, text] of among) {
    const lines = text.split('\n').length - 1
    if (lines > maxLines) yield `${place}/${file} has ${lines} lines; at most ${maxLines}`
  }
}

function* sizeFaults(): Generator<string> {
  yield* lineFaults('src', files)
  yield* lineFaults('ui', pageFiles)
  for (const [folder, inside] of grouped((file) => path.posix.dirname(file)))
    if (inside.length > maxFiles)
      yield `src/${folder}/ has ${inside.length} files; at most ${maxFiles}`
  for (const [name, same] of grouped((file) =>
    isFormat(file) ? file : path.posix.basename(file)
  ))
    if (same.length > 1)
      yield `${name} is the name of ${same.map((file) => `src/${file}`).join(' and ')}`
}

const circleText = (folder: string, circle: readonly string[]): string =>
  `import circle: ${circle.map((file) => `${folder}/${file}`).join(' ↔ ')}`

const faults = new Set([
  ...[...files.keys()].flatMap((file) => [...layerFaults(file)]),
  ...importCircles(files).map((circle) => circleText('src', circle)),
  ...importCircles(pageFiles).map((circle) => circleText('ui', circle)),
  ...sizeFaults(),
  ...[...layers.keys()]
    .filter((folder) => ![...files.keys()].some((file) => file.startsWith(`${folder}/`)))
    .map((folder) => `ARCHITECTURE.md names ${folder}/, which is no folder of src/`)
])
for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.size > 0) process.exitCode = 1
