/** Edits, by all modules that make them. */
import { restReads, routeOf } from '../reads.ts'
import { more, pick, posts, type Write } from './write.ts'

const texts = [
  'one',
  'two {{Prove T}}',
  'three [[Category:Prove]]',
  'four forbidden',
  '{{:Prove B}} five',
  '#REDIRECT [[Prove B]]'
] as const

export const edits: Readonly<Record<string, Write>> = {
  edit: {
    does: posts(({ title, draw }) => ({
      action: 'edit',
      title,
      text: pick(draw, texts),
      summary: `s${draw(3)}`
    })),
    seen: [
      'revisions',
      'history',
      'usercontribs',
      'recentchanges',
      'watchlist',
      'categorymembers',
      'parse',
      'abuselog',
      'statistics',
      'notifications',
      'hasmsg'
    ]
  },
  append: {
    does: posts(({ title, draw }) => ({
      action: 'edit',
      title,
      appendtext: ` more ${draw(3)}`,
      ...more(draw, [{}, { minor: '1' }, { watchlist: 'watch' }, { tags: 'prove' }])
    })),
    seen: [
      'revisions',
      'watched',
      'contributors',
      'allrevisions',
      'watchlist',
      'linkshere'
    ]
  },
  touch: {
    does: posts(({ title, draw }) => ({
      action: 'edit',
      title,
      appendtext: '',
      ...more(draw, [{}, { watchlist: 'watch' }, { watchlist: 'unwatch' }])
    })),
    seen: [
      'categories',
      'categorymembers',
      'watched',
      'watchlistraw',
      'info',
      'membersofv',
      'categoryinfo'
    ]
  },
  createonly: {
    does: posts(({ title }) => ({
      action: 'edit',
      title,
      text: 'made',
      createonly: '1'
    })),
    seen: ['revisions', 'expanded', 'allpages', 'notifications']
  },
  section: {
    does: posts(({ title, draw }) => ({
      action: 'edit',
      title,
      section: 'new',
      sectiontitle: `Section ${draw(3)}`,
      text: 'hello [[User:Bob]] ~~~~'
    })),
    seen: ['revisions', 'notifications', 'hasmsg', 'userinfo', 'threads', 'unread']
  },
  stale: {
    does: posts(({ title, draw }) => ({
      action: 'edit',
      title,
      text: `stale ${draw(3)}`,
      basetimestamp: pick(draw, [`{time:${title}}`, '2027-01-01T00:00:00Z'] as const)
    })),
    seen: ['revisions']
  },
  checksum: {
    does: posts(({ title, draw }) => ({
      action: 'edit',
      title,
      text: 'summed',
      md5: pick(draw, [
        '0123456789abcdef0123456789abcdef',
        '0d4a7aed3c7fd1f8b2a2bfc9ae1ecf0c'
      ] as const)
    })),
    seen: ['revisions']
  },
  undo: {
    does: posts(({ title }) => ({ action: 'edit', title, undo: `{rev:${title}}` })),
    seen: ['revisions', 'history']
  },
  badtoken: {
    does: (script, { who, title }) =>
      void script.post(who, { action: 'edit', title, text: 'never', token: '0123+\\' }),
    seen: ['revisions']
  },
  visual: {
    does: posts(({ title, draw }) => ({
      action: 'visualeditoredit',
      paction: 'save',
      page: title,
      html: `<p>visual ${draw(4)}</p>`,
      etag: ''
    })),
    seen: ['revisions', 'usercontribs', 'parse', 'recentchanges']
  },
  topic: {
    does: posts(({ draw }) => ({
      action: 'discussiontoolsedit',
      paction: 'addtopic',
      page: 'Talk:Prove B',
      sectiontitle: `Topic ${draw(3)}`,
      wikitext: 'hello'
    })),
    seen: ['usercontribs', 'threads', 'recentchanges', 'info']
  },
  message: {
    does: posts(({ draw }) => ({
      action: 'edit',
      title: 'MediaWiki:Prove-message',
      text: `message ${draw(5)}`
    })),
    seen: ['message', 'statistics']
  },
  rest: {
    does: (script, { who, title, draw }) => {
      const body = {
        source: `rest ${draw(5)}`,
        comment: 'r',
        content_model: 'wikitext',
        token: '{csrf}'
      }
      const latest = { id: `{rev:${title}}` }
      const target = routeOf('restpage', title) ?? ''
      if (draw(4) > 0) script.read(who, 'revisions', { title })
      script.path(
        who,
        'PUT',
        target,
        JSON.stringify(draw(4) > 0 ? { ...body, latest } : body)
      )
    },
    seen: ['revisions', 'allpages', ...restReads]
  },
  restnew: {
    does: (script, { who, draw }) => {
      const body = {
        title: `Prove N${draw(2)}`,
        source: 'rest',
        comment: 'r',
        token: '{csrf}'
      }
      script.path(who, 'POST', '/w/rest.php/v1/page', JSON.stringify(body))
    },
    seen: ['allpages', 'recentchanges', ...restReads]
  }
}
