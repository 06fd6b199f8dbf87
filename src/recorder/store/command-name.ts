/** The name by which the user runs this program, so that commands in messages can be pasted. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const modulesFolder = `${path.sep}node_modules${path.sep}`

/** `npx wikitape` for a project's dependency, which is not on PATH; `wikitape` for a global installation or a checkout. */
export function commandNameOf(packageFile: string): string {
  const outermost = packageFile.indexOf(modulesFolder)
  if (outermost < 0) return 'wikitape'
  const bin = path.join(packageFile.slice(0, outermost), 'node_modules', '.bin')
  return ['wikitape', 'wikitape.cmd'].some((name) => existsSync(path.join(bin, name)))
    ? 'npx wikitape'
    : 'wikitape'
}

export const commandName: string = commandNameOf(fileURLToPath(import.meta.url))

/** A word for a shell; paths of Windows with slashes, which every shell there takes. */
export function shellQuote(word: string, separator: string = path.sep): string {
  const plain = separator === '\\' ? word.replaceAll('\\', '/') : word
  return /^[\w./:@%+=,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`
}
