/** How this program is called where it is installed, so that the commands which messages name can be pasted. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const modulesFolder = `${path.sep}node_modules${path.sep}`

/**
 * `npx wikitape` for a package of a project, which lies on no shell's PATH; `wikitape` for one that is installed for
 * all, or a checkout.
 * @param packageFile of a file of the package
 */
export function commandNameOf(packageFile: string): string {
  const outermost = packageFile.indexOf(modulesFolder)
  if (outermost < 0) return 'wikitape'
  const bin = path.join(packageFile.slice(0, outermost), 'node_modules', '.bin')
  return ['wikitape', 'wikitape.cmd'].some((name) => existsSync(path.join(bin, name)))
    ? 'npx wikitape'
    : 'wikitape'
}

export const commandName: string = commandNameOf(fileURLToPath(import.meta.url))
