/** Titles asked for together that were recorded in other sets: what wikitape assembles is what the wiki says. */
import { describe, expect, it } from 'vitest'
import { type LabVersion, labUrl, labVersions } from '../../scripts/wiki/lab.ts'
import { startProxy } from '../helpers/proxies.ts'
import { shareOf } from '../helpers/scale.ts'

const groups: readonly (readonly string[])[] = [
  ['Абрикос', 'Волга', 'Нет такой', 'Берёза'],
  ['Ёжик', 'Нет другой', 'Лев'],
  ['Файл:Map 07.png', 'Абрикос', 'Категория:Природа 0']
]
const asks: readonly (readonly string[])[] = [
  ['Абрикос'],
  ['Волга', 'Абрикос'],
  ['Нет такой', 'Берёза'],
  ['берёза', 'Абрикос'],
  ['Лев', 'Абрикос', 'Нет такой', 'Нет другой'],
  ['Ёжик', 'Берёза', 'Волга', 'Лев'],
  ['Файл:Map 07.png'],
  ['Категория:Природа 0', 'Файл:Map 07.png'],
  ['Абрикос', 'Файл:Map 07.png', 'Волга']
]
const props: readonly string[] = [
  'info',
  'info&indexpageids=',
  'info&indexpageids=&meta=userinfo',
  'pageprops',
  'categories&cllimit=500',
  'categories&cllimit=4',
  'images|info&imlimit=500',
  'links&pllimit=20'
]

/** Usually each for one of the three wikis. */
const formsFor = (
  wiki: LabVersion
): readonly (readonly [prop: string, version: string])[] =>
  shareOf(
    props.flatMap((prop) => [[prop, '1'] as const, [prop, '2'] as const]),
    labVersions.indexOf(wiki),
    labVersions.length
  )

const query = (prop: string, titles: readonly string[], version: string): string =>
  `action=query&format=json&formatversion=${version}&prop=${prop.replaceAll('|', '%7C')}&titles=${encodeURIComponent(titles.join('|'))}`

/** How many of the wiki's first pages; all of them were compared once. */
const pagesShown = Number(process.env['WIKITAPE_TEST_PAGES'] ?? 5)

const withoutDebuginfo = (body: string): string =>
  body.replace(/,"debuginfo":\{.*\}\}$/s, '}')

describe.each(labVersions)('MediaWiki %s', (wiki) => {
  it('assembles pages as the wiki does, or declines', async () => {
    const recording = await startProxy(labUrl(wiki))
    const forms = formsFor(wiki)
    for (const [prop, version] of forms) {
      for (const titles of groups)
        await (await fetch(`${recording.api}?${query(prop, titles, version)}`)).text()
    }
    await recording.close()
    const replaying = await startProxy(undefined, { cassette: recording.cassette })
    let exact = 0
    let declined = 0
    for (const [prop, version] of forms) {
      for (const titles of asks) {
        const asked = query(prop, titles, version)
        const reply = await fetch(`${replaying.api}?${asked}`)
        const body = await reply.text()
        if (reply.headers.get('x-cassette-status') === 'miss') declined += 1
        else {
          const live = withoutDebuginfo(
            await (await fetch(`${labUrl(wiki)}?${asked}`)).text()
          )
          expect(body, asked).toBe(live)
          exact += 1
        }
      }
    }
    await replaying.close()
    process.stdout.write(`${wiki}: ${exact} exact, ${declined} declined\n`)
    expect(exact).toBeGreaterThan(declined)
  })

  it('shows pages in the other version of the format, and those of a generator, as the wiki does', async () => {
    const forms = [
      'info&inprop=protection%7Curl%7Cdisplaytitle',
      'info%7Cpageprops',
      'revisions',
      ...(wiki === '1.35' ? [] : ['revisions&rvslots=main&rvprop=ids%7Csize%7Ccontent'])
    ]
    const generated = 'info&generator=allpages&gaplimit=max'
    const listed = (await (
      await fetch(
        `${labUrl(wiki)}?action=query&format=json&list=allpages&aplimit=${pagesShown}`
      )
    ).json()) as {
      readonly query: { readonly allpages: readonly { readonly title: string }[] }
    }
    // What `%` stands for in a title only the wiki knows.
    const titles = listed.query.allpages
      .map(({ title }) => title)
      .filter((title) => !title.includes('%'))
    let answered = 0
    const cases = forms.flatMap((form) =>
      ['1', '2'].map((recorded) => [form, recorded, form] as const)
    )
    const ofGenerator = ['1', '2'].map((one) => [generated, one, 'info'] as const)
    for (const [form, recorded, wanted] of [...cases, ...ofGenerator]) {
      const recording = await startProxy(labUrl(wiki))
      const isGenerated = form === generated
      const sets = isGenerated ? [[]] : titles.map((one) => [one])
      for (const set of sets)
        await (
          await fetch(
            `${recording.api}?${query(form, set, recorded).replace(/&titles=$/, '')}`
          )
        ).text()
      await recording.close()
      const replaying = await startProxy(undefined, { cassette: recording.cassette })
      for (const version of isGenerated ? ['1', '2'] : [recorded === '1' ? '2' : '1'])
        for (const title of titles) {
          const asked = query(wanted, [title], version).replaceAll('%257C', '%7C')
          const reply = await fetch(`${replaying.api}?${asked}`)
          const body = await reply.text()
          if (reply.headers.get('x-cassette-status') === 'miss') continue
          answered += 1
          const live = await (await fetch(`${labUrl(wiki)}?${asked}`)).text()
          expect(body, asked).toBe(withoutDebuginfo(live))
        }
      await replaying.close()
    }
    expect(answered).toBe(titles.length * (cases.length + 2 * ofGenerator.length))
  })
})
