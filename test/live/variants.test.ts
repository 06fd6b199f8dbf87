/** Titles in another script of the wiki’s language (`converttitles`): what is rebuilt equals the wiki's own bytes. */
import { expect, it } from 'vitest'
import { connect } from '../../scripts/fidelity/wiki.ts'
import { comparedWikis } from '../../scripts/wiki/variants.ts'
import { memberAt } from '../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import { reorderResponse } from '../../src/recorder/playback/reorder/reorder-response.ts'

/** The same pages twice: in Latin letters where the wiki has them in Cyrillic, as they are, in lower case, not there at all. */
const pairs: readonly (readonly [recorded: string, asked: string])[] = [
  ['Volga|Les|Море', 'Море|Les|Volga'],
  ['Volga|Les|Море', 'Les|Море|Volga|volga'],
  ['Nebo|volga|Вода', 'Вода|Volga|nebo'],
  ['Utro|Нет такой|Hleb|Net_takoj', 'Net takoj|Hleb|Нет такой|utro'],
  ['Abrikos|Абрикос|Trava', 'Trava|Абрикос|Abrikos'],
  ['Kategorija:Priroda 0|Volga', 'Volga|Kategorija:Priroda 0']
]

it.each(comparedWikis.filter(({ kind }) => kind === 'sr'))(
  'are rebuilt in any order, or refused: wiki $name',
  async ({ url }) => {
    const outcome = { exact: 0, refused: 0, wrong: [] as string[] }
    const wiki = await connect(url, ['info', 'categories'])
    for (const formatversion of ['1', '2']) {
      for (const pair of pairs) {
        const [recorded, asked] = await Promise.all(
          pair.map((titles) =>
            wiki.ask(
              `action=query&format=json&converttitles=&prop=info&formatversion=${formatversion}&titles=${encodeURIComponent(titles)}`
            )
          )
        )
        if (recorded === undefined || asked === undefined) throw new Error('no answers')
        expect(memberAt(recorded.body, 'query', 'converted'), pair[0]).toBeDefined()
        expect(asked.derivation.key).toBe(recorded.derivation.key)
        const rebuilt = reorderResponse(
          recorded.interaction,
          asked.derivation,
          wiki.facts.site
        )
        const body = rebuilt.kind === 'impossible' ? undefined : rebuilt.response.body
        if (body?.kind !== 'json') outcome.refused += 1
        else if (writeCompact(body.tree, 'utf8') === writeCompact(asked.body, 'utf8'))
          outcome.exact += 1
        else
          outcome.wrong.push(
            `${pair.join(' → ')}: ${writeCompact(body.tree, 'utf8')}\n${writeCompact(asked.body, 'utf8')}`
          )
      }
    }
    wiki.close()
    expect(outcome.wrong).toEqual([])
    expect(outcome.exact).toBeGreaterThan(5)
  }
)
