/** Several `prop` in another order: what wikitape makes of a recorded answer is what the wiki says, byte for byte. */
import { expect, it } from 'vitest'
import { labUrl, labVersions } from '../../scripts/wiki/lab.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'

const orders: readonly { readonly props: readonly string[]; readonly more: string }[] = [
  { props: ['info', 'revisions'], more: '' },
  {
    props: ['categories', 'info', 'images', 'pageprops'],
    more: '&cllimit=500&imlimit=500'
  },
  {
    props: ['imageinfo', 'info', 'categories', 'duplicatefiles'],
    more: '&cllimit=500&dflimit=500'
  },
  {
    props: ['contributors', 'links', 'templates', 'extlinks', 'langlinks', 'iwlinks'],
    more: '&pllimit=500&tllimit=500&ellimit=500&lllimit=500&iwlimit=500&pclimit=500'
  }
]
const pages = '&titles=Абрикос|Волга|Нет такой|Файл:Map 07.png|Категория:Природа 0'

it.each(labVersions)('MediaWiki %s', async (version) => {
  const recording = await startProxy(labUrl(version))
  const asked = (
    api: string,
    props: readonly string[],
    more: string,
    format: string
  ): string =>
    `${api}?action=query&format=json&formatversion=${format}&prop=${encodeURI(props.join('|') + pages + more)}`
  for (const format of ['1', '2'])
    for (const { props, more } of orders)
      await ask(asked(recording.api, props, more, format))
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  let exact = 0
  for (const format of ['1', '2'])
    for (const { props, more } of orders)
      for (const turned of [
        props.toReversed(),
        [...props.slice(1), ...props.slice(0, 1)]
      ]) {
        const here = await ask(asked(replay.api, turned, more, format))
        if (here.headers['x-cassette-status'] === 'miss') {
          expect(here.text).toContain('order')
          continue
        }
        const live = await ask(asked(recording.api, turned, more, format), {
          headers: { 'x-cassette-mode': 'passthrough' }
        })
        expect(here.text, turned.join('|')).toBe(live.text)
        exact += 1
      }
  process.stdout.write(`${version}: ${exact} of 16 exact\n`)
  expect(exact).toBeGreaterThan(7)
})
