/** Names of the cassettes of tests, made of their files and titles. */
import { digest } from '../request/request-key.ts'
import { hostFolderOf, isDeviceName, truncateBytes } from './interaction-path.ts'

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
  const short = [...safe].slice(0, maxCharacters).join('')
  const slug = truncateBytes(short, maxSlugBytes).replace(/[_.]+$/, '')
  if (slug !== '' && slug === whole.replaceAll(' ', '_') && !isDeviceName(slug))
    return slug
  const ending = digest(title, 8)
  return slug === ''
    ? `test-${ending}`
    : `${isDeviceName(slug) ? '_' : ''}${slug}-${ending}`
}

/** What `isCassetteName` allows. */
const maxNameLength = 80

/** The cassette of one of the several wikis of a test. */
export function nameOfWiki(cassette: string, host: string): string {
  const name = `${cassette}.${hostFolderOf(host)}`
  const at = name.lastIndexOf('/') + 1
  const last = name.slice(at)
  if (last.length <= maxNameLength) return name
  return `${name.slice(0, at)}${last.slice(0, maxNameLength - 9)}-${digest(last, 8)}`
}
