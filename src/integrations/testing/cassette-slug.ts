/** Names of cassettes, made of titles and files, as folder names that every file system accepts. */
import { createHash } from 'node:crypto'
import { isDeviceName } from '../../cassette/interaction-path.ts'
import type { TestName } from './test-runner.ts'

/** The cassette of a test, unless it has a name of its own. @throws Error where the runner did not say which test runs */
export function cassetteNameOf(test: TestName | undefined): string {
  if (test !== undefined) return `${folderOfFile(test.file)}/${slugOf(test.title)}`
  throw new Error(
    'wikitape: this test runner does not say which test runs; give the cassette a name: withCassette({ name: "lists-pages", … }, …)',
  )
}

const maxCharacters = 60
const maxSlugBytes = 120

/** E.g. `test/pages.test` for `test/pages.test.ts`. */
export const folderOfFile = (file: string): string =>
  file
    .replace(/\.[cm]?[jt]sx?$/, '')
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(slugOf)
    .join('/')

/** Letters and digits of every script, `.`, `_` and `-`; with a digest where other characters were lost. */
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
