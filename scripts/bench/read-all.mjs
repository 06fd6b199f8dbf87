/** What reading costs at least: every file below a folder, parsed. Prints processor milliseconds. */
import { readdirSync, readFileSync } from 'node:fs'

const [, , dir] = process.argv
const before = process.cpuUsage()
for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
  if (entry.isFile())
    JSON.parse(readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'))
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1000)
