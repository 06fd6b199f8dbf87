/**
 * The layer rules of the linter, out of the tables of ARCHITECTURE.md: what a file of each folder may not import.
 * `tsx scripts/write-layers.ts` writes biome.layers.json; with `--check` it only says whether that file is current.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const place = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
const written = place('biome.layers.json')
/** Below this layer everything is a function of its arguments. */
const firstWithNode = 6
const servers = ['node:*', 'express', 'http-proxy', 'lowdb', 'lowdb/**']

/** A row of the tables: `paging/` with its layer, or `paging/rules/` with its place among the rooms of its folder. */
interface Row {
  readonly path: string
  readonly layer: number
}

function rows(): readonly Row[] {
  const row = /^\| *(\d+) *\| *`((?:[a-z]+\/)+)`/gm
  const found = [...readFileSync(place('ARCHITECTURE.md'), 'utf8').matchAll(row)].map(
    ([, layer = '', path = '']) => ({ layer: Number(layer), path: path.slice(0, -1) }),
  )
  const missing = found.filter((one) => !existsSync(place(`src/${one.path}`)))
  if (found.length === 0 || missing.length > 0) {
    throw new Error(`ARCHITECTURE.md names no folder of src/: ${missing.map((one) => one.path).join(', ')}`)
  }
  return found
}

const isRoom = (row: Row): boolean => row.path.includes('/')
const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Rows that a file of `row` may not import from. */
const closedTo = (row: Row, others: readonly Row[]): readonly Row[] =>
  others.filter((other) => other.path !== row.path && other.layer >= row.layer)

function ruleOf(folder: Row, room: Row | undefined, all: readonly Row[]): object {
  const folders = all.filter((row) => !isRoom(row))
  const ups = room === undefined ? ['../', '../../'] : ['../../', '../../../']
  const rooms = room === undefined ? [] : closedTo(room, roomsOf(folder, all))
  const here = (room ?? folder).path
  const group = [
    ...ups.flatMap((up) => closedTo(folder, folders).map((other) => `${up}${other.path}/**`)),
    ...ups.map((up) => `${up}index.ts`),
    ...rooms.map((other) => `../${lastPart(other.path)}/**`),
  ]
  const message = `src/${here} may import only from lower layers (ARCHITECTURE.md).`
  const pure = {
    group: servers,
    message: 'Node and servers belong to store/, upstream/, proxy/ and cli/ (ARCHITECTURE.md).',
  }
  const patterns = [{ group, message }, ...(folder.layer < firstWithNode ? [pure] : [])]
  return {
    includes: [`src/${here}/**`],
    linter: {
      rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } },
    },
  }
}

const roomsOf = (folder: Row, all: readonly Row[]): readonly Row[] =>
  all.filter((row) => row.path.startsWith(`${folder.path}/`))

function layerRules(): string {
  const all = rows()
  const overrides = all
    .filter((row) => !isRoom(row))
    .flatMap((folder) => [undefined, ...roomsOf(folder, all)].map((room) => ruleOf(folder, room, all)))
  return `${JSON.stringify({ $schema: './node_modules/@biomejs/biome/configuration_schema.json', overrides })}\n`
}

const current = layerRules()
if (!process.argv.includes('--check')) writeFileSync(written, current)
else if (!existsSync(written) || readFileSync(written, 'utf8') !== current) {
  process.stderr.write('biome.layers.json is not what ARCHITECTURE.md says; run: npm run layers\n')
  process.exitCode = 1
}
