/** Answers of 1.43 to requests that no shipped cassette holds. */
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { interaction } from '../sides.ts'

const expires = { attributes: ['path=/', 'HttpOnly'], expiresIn: -86_400, session: false }
const loggedOut = ['wikiUserID', 'wikiUserName', 'wikiToken'].map((name) => ({
  ...expires,
  name,
  value: ''
}))

export const moreAnswers: readonly Interaction[] = [
  interaction(
    'action=query&prop=revisions&rvprop=ids|timestamp|user|comment|size|sha1&titles=Абрикос&formatversion=2',
    {
      batchcomplete: true,
      query: {
        pages: [
          {
            pageid: 224,
            ns: 0,
            title: 'Абрикос',
            revisions: [
              {
                revid: 838,
                parentid: 422,
                minor: false,
                user: 'Admin',
                timestamp: '2025-01-14T15:00:00Z',
                size: 1200,
                sha1: '408dbf585a9c0987614c9e490961a62d5a606163',
                comment: 'Защитил страницу',
                slots: {
                  main: { contentmodel: 'wikitext', content: 'Дерево, [[Плод]]' }
                }
              }
            ]
          }
        ]
      }
    }
  ),
  interaction('action=query&titles=Узелок 01&redirects=1&formatversion=2', {
    batchcomplete: true,
    query: {
      redirects: [{ from: 'Узелок 01', to: 'Узел' }],
      pages: [{ pageid: 174, ns: 0, title: 'Узел' }]
    }
  }),
  interaction('action=logout&token=x&formatversion=2', { body: {}, cookies: loggedOut }),
  interaction('action=query&titles=Абрикос&uselang=ru&formatversion=2', {
    body: {
      batchcomplete: true,
      query: { pages: [{ pageid: 224, ns: 0, title: 'Абрикос' }] }
    },
    headers: { 'content-language': 'ru' }
  }),
  interaction('action=query&meta=siteinfo&siprop=general|namespaces&formatversion=2', {
    batchcomplete: true,
    query: {
      general: { case: 'first-letter', lang: 'ru', capitallinks: true },
      namespaces: {
        0: { id: 0, case: 'first-letter', name: '', content: true },
        2: { id: 2, case: 'first-letter', name: 'Участник', canonical: 'User' },
        2300: { id: 2300, case: 'first-letter', name: 'Гаджет', canonical: 'Gadget' }
      }
    }
  }),
  interaction(
    'action=query&meta=siteinfo&siprop=magicwords|extensions|interwikimap&formatversion=2',
    {
      batchcomplete: true,
      query: {
        magicwords: ['if', 'switch', 'time', 'expr'].map((name) => ({
          name,
          aliases: [name]
        })),
        extensions: ['Cite', 'Gadgets', 'ParserFunctions'].map((name) => ({
          type: 'parserhook',
          name
        })),
        interwikimap: ['commons', 'en'].map((prefix) => ({
          prefix,
          url: `https://${prefix}.example/$1`
        }))
      }
    }
  ),
  interaction('action=query&list=users&ususers=Admin&usprop=rights&formatversion=2', {
    batchcomplete: true,
    query: {
      users: [
        { userid: 1, name: 'Admin', rights: ['edit', 'createpage', 'block', 'delete'] }
      ]
    }
  }),
  interaction('action=query&prop=info&inprop=url&titles=Абрикос&formatversion=2', {
    batchcomplete: true,
    query: {
      pages: [
        {
          pageid: 224,
          ns: 0,
          title: 'Абрикос',
          pagelanguage: 'ru',
          touched: '2025-01-14T15:00:00Z',
          lastrevid: 838,
          length: 1200,
          fullurl: 'http://127.0.0.1:8143/wiki/Абрикос'
        }
      ]
    }
  }),
  interaction('action=parse&page=Абрикос&formatversion=2', {
    parse: {
      title: 'Абрикос',
      pageid: 224,
      revid: 838,
      text:
        '<div class="mw-parser-output" lang="ru" dir="ltr"><p>Дерево<sup id="cite_ref-1" class="reference">' +
        '<a href="#cite_note-1">[1]</a></sup></p><ol class="references"><li id="cite_note-1">Словарь</li></ol></div>',
      sections: [{ toclevel: 1, level: '2', line: 'Плод', index: '1', anchor: 'Плод' }]
    }
  }),
  interaction('action=query&list=nosuch&formatversion=2', {
    error: { code: 'badvalue', info: 'Unrecognized value for parameter "list": nosuch.' }
  })
]
