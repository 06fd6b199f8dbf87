/** What is done to pages: protection, history, tags. */
import { more, pick, posts, type Write } from './write.ts'

export const pages: Readonly<Record<string, Write>> = {
  delete: {
    does: posts(({ title }) => ({ action: 'delete', title, reason: 'd' })),
    seen: [
      'revisions',
      'info',
      'deletedrevisions',
      'alldeleted',
      'logevents',
      'blocks',
      'expanded',
      'categorymembers',
      'protection'
    ]
  },
  undelete: {
    does: posts(({ draw, title }) => ({
      action: 'undelete',
      title: pick(draw, [title, 'Prove D'] as const),
      reason: 'u'
    })),
    seen: ['deletedrevisions', 'alldeleted', 'revisions', 'logevents', 'allpages']
  },
  move: {
    does: posts(({ title, draw }) => ({
      action: 'move',
      from: title,
      to: pick(draw, ['Prove M', 'Prove E'] as const),
      reason: 'm',
      ...more(draw, [{}, { movetalk: '1' }, { noredirect: '1' }])
    })),
    seen: [
      'info',
      'linkshere',
      'watchlistraw',
      'logevents',
      'blocks',
      'allpages',
      'usercontribs',
      'protection'
    ]
  },
  protect: {
    does: posts(({ title, draw }) => ({
      action: 'protect',
      title,
      protections: pick(draw, [
        'edit=sysop|move=sysop',
        'create=sysop',
        'edit=all|move=all'
      ] as const),
      expiry: 'never',
      reason: 'p',
      ...more(draw, [{}, { cascade: '1' }])
    })),
    seen: ['protection', 'can', 'logged', 'protectedtitles', 'history']
  },
  cascade: {
    does: posts(({ draw }) => ({
      action: 'protect',
      title: 'Prove P',
      protections: pick(draw, ['edit=sysop', 'edit=all'] as const),
      expiry: 'never',
      ...more(draw, [{ cascade: '1' }, {}])
    })),
    seen: ['protection', 'can']
  },
  purge: {
    does: (script, { who, title, draw }) =>
      void script.post(who, {
        action: 'purge',
        titles: title,
        ...more(draw, [{ forcelinkupdate: '1' }, {}])
      }),
    seen: ['categorymembers', 'membersofv', 'info', 'links', 'categories']
  },
  rollback: {
    does: posts(({ title, user }) => ({ action: 'rollback', title, user }), 'rollback'),
    seen: ['revisions', 'history', 'recentchanges', 'notifications']
  },
  patrol: {
    does: posts(({ title }) => ({ action: 'patrol', revid: `{rev:${title}}` }), 'patrol'),
    seen: ['patrolled', 'logevents']
  },
  tag: {
    does: posts(({ title }) => ({
      action: 'tag',
      revid: `{rev:${title}}`,
      add: 'prove'
    })),
    seen: ['recenttagged', 'tags', 'history', 'usercontribs']
  },
  hide: {
    does: posts(({ title, draw }) => ({
      action: 'revisiondelete',
      type: 'revision',
      target: title,
      ids: `{rev:${title}}`,
      [pick(draw, ['hide', 'show'] as const)]: 'content|user|comment',
      reason: 'h'
    })),
    seen: ['revisions', 'history', 'usercontribs', 'contributors', 'logevents']
  },
  import: {
    does: (script, { who, draw }) =>
      void script.file(
        who,
        { action: 'import', interwikiprefix: 'x', summary: 'i', token: '{csrf}' },
        Buffer.from(exported(draw(3))).toString('base64'),
        'xml'
      ),
    seen: ['allpages', 'logevents', 'recentchanges', 'statistics']
  },
  mergehistory: {
    does: posts(({ title }) => ({
      action: 'mergehistory',
      from: title,
      to: 'Prove B',
      reason: 'm'
    })),
    seen: ['history', 'logevents', 'info']
  },
  managetags: {
    does: posts(({ draw }) => ({
      action: 'managetags',
      operation: pick(draw, ['create', 'delete', 'activate', 'deactivate'] as const),
      tag: 'prove',
      ignorewarnings: '1'
    })),
    seen: ['tags', 'logevents']
  },
  model: {
    does: posts(({ title, draw }) => ({
      action: 'changecontentmodel',
      title,
      model: pick(draw, ['text', 'wikitext'] as const)
    })),
    seen: ['info', 'logevents', 'parse']
  }
}

const exported = (at: number): string =>
  `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en"><page><title>Prove I${at}</title><ns>0</ns><revision><timestamp>2026-02-0${at + 1}T00:00:00Z</timestamp><contributor><username>Other</username></contributor><comment>c</comment><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">imported</text></revision></page></mediawiki>`
