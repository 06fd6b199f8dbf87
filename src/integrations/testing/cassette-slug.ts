/** Names of cassettes out of titles and files, as folders that every file system takes. */
import { createHash } from 'node:crypto'
import { isDeviceName } from '../../cassette/interaction-path.ts'

const maxCharacters = 60
const maxSlugBytes = 120

/** e.g. `test/pages.test` for `test/pages.test.ts`, so that the files of other runners do not share it. */
export const folderOfFile = (file: string): string =>
  file
    .replace(/\.[cm]?[jt]sx?$/, '')
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(slugOf)
    .join('/')

/** Letters and digits of every script, `.`, `_` and `-`. What does not survive is told apart by a digest. */
export function slugOf(title: string): string {
  const whole = title.normalize('NFC')
  const safe = whole.replace(/[^\p{L}\p{N}.-]+/gu, '_').replace(/^[_.]+|[_.]+$/g, '')
  const slug = truncate(safe)
  if (slug !== '' && slug === whole.replaceAll(' ', '_') && !isDeviceName(slug)) return slug
  const digest = createHash('sha256').update(title).digest('hex').slice(0, 8)
  return slug === '' ? `test-${digest}` : `${isDeviceName(slug) ? '_' : ''}${slug}-${digest}`
}

function truncate(text: string): string {
  let [shortened, bytes] = ['', 0]
  for (const letter of [...text].slice(0, maxCharacters)) {
    bytes += Buffer.byteLength(letter)
    if (bytes > maxSlugBytes) break
    shortened += letter
  }
  return shortened.replace(/[_.]+$/, '')
}
