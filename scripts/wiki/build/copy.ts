/** A built wiki once more: what a server changes is copied, the rest hard-linked, 20,000 files of PHP in a second. */
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../machine/command.ts'
import type { WikiPlace } from '../machine/place.ts'

/** As it was built, whatever was written into it since. @param to a place on the same file system */
export async function copyWiki(from: WikiPlace, to: WikiPlace): Promise<void> {
  await rm(to.root, { recursive: true, force: true })
  await mkdir(to.temporary, { recursive: true })
  for (const folder of ['web', 'pristine'])
    await run('cp', ['--archive', '--link', join(from.root, folder), to.root], {
      advice: `Is the wiki ${from.version} built? npm run wiki -- up ${from.version}`
    })
  const images = join(to.install, 'images')
  await rm(images, { recursive: true })
  await cp(join(to.root, 'pristine', 'images'), images, { recursive: true })
  await cp(join(to.root, 'pristine', 'data'), to.data, { recursive: true })
}
