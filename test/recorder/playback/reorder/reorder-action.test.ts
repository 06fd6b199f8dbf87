/** `purge` and `watch` of several titles in another order; what the real wikis say to it: test/clients/sessions.test.ts. */
import { describe, expect, it } from 'vitest'
import { readJson } from '../../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import { reorderAction } from '../../../../src/recorder/playback/reorder/reorder-action.ts'
import { decodeSiteinfo } from '../../../../src/recorder/wiki/site/site-facts.ts'

const site = decodeSiteinfo({
  query: {
    general: { generator: 'MediaWiki 1.43.9', lang: 'en' },
    namespaces: {
      0: { id: 0, '*': '', case: 'first-letter' },
      6: { id: 6, '*': 'File', case: 'first-letter' }
    }
  }
})
if (site === undefined)
  throw new Error('The facts of the site are not as the decoder wants them.')

function rebuilt(body: unknown, action: string, sent: string, asked: string): unknown {
  const reading = readJson(JSON.stringify(body))
  const tree =
    reading.ok && site
      ? reorderAction(reading.tree, action, sent, asked, site)
      : undefined
  return tree && (JSON.parse(writeCompact(tree, 'utf8')) as unknown)
}

const missing = (title: string): object => ({ ns: 0, title, missing: '' })
const purged = (title: string, ns = 0): object => ({ ns, title, purged: '' })
const watched = (title: string): object => ({ title, ns: 0, watched: '' })

describe('purge', () => {
  const body = {
    batchcomplete: '',
    purge: [missing('C'), missing('B'), purged('A'), purged('D')]
  }

  it('has missing pages in the order asked, before those that exist', () => {
    expect(rebuilt(body, 'purge', 'D|C|B|A', 'A|B|D|C')).toEqual({
      batchcomplete: '',
      purge: [missing('B'), missing('C'), purged('A'), purged('D')]
    })
  })

  it.each([
    [
      'pages of several namespaces',
      [purged('A'), purged('File:B.png', 6)],
      'A|File:B.png',
      'File:B.png|A'
    ],
    ['special pages', [{ ns: 0, title: 'X', special: '' }, purged('A')], 'A|X', 'X|A'],
    ['a page that was not asked for', [purged('A'), purged('Z')], 'A|B', 'B|A']
  ])('is not rebuilt of %s', (_, purge, sent, asked) => {
    expect(rebuilt({ purge }, 'purge', sent, asked)).toBeUndefined()
  })

  it('is not rebuilt of an answer that warns', () => {
    expect(
      rebuilt({ ...body, warnings: {} }, 'purge', 'D|C|B|A', 'A|B|C|D')
    ).toBeUndefined()
  })
})

describe('watch, which does not say what is missing', () => {
  it('is the same in any order where the recorded one was not the request’s', () => {
    const body = { watch: [watched('A'), watched('B')] }
    expect(rebuilt(body, 'watch', 'B|A', 'A|B')).toEqual(body)
  })

  it('is not rebuilt where all may be missing, or all may be there', () => {
    expect(
      rebuilt({ watch: [watched('A'), watched('B')] }, 'watch', 'A|B', 'B|A')
    ).toBeUndefined()
  })
})
