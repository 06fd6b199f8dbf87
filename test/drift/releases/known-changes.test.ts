/** Each change that MediaWiki's release notes of 1.25 to 1.45 name, as a tiny pair: found, with its kind and severity. */
import { describe, expect, it } from 'vitest'
import type { Kind, Severity } from '../../../src/drift/changes/kinds.ts'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side } from '../sides.ts'

interface Row {
  readonly release: string
  readonly about: string
  readonly query: string
  readonly before: unknown
  readonly after: unknown
  readonly expected: readonly (readonly [Kind, Severity])[]
}

const query = (value: unknown): unknown => ({ query: value })
const warn = (module: string, text: string, rest: object = { query: {} }): unknown => ({
  warnings: { [module]: { '*': text } },
  ...rest
})
const fail = (code: string, info: string, rest: object = {}): unknown => ({
  error: { code, info, ...rest }
})
const user = (value: unknown): unknown => query({ users: [value] })

const rows: readonly Row[] = [
  {
    release: '1.26',
    about: 'continue becomes the default form',
    query: 'action=query&list=allpages',
    before: {
      'query-continue': { allpages: { apcontinue: 'Волга' } },
      query: { allpages: [] }
    },
    after: {
      batchcomplete: '',
      continue: { apcontinue: 'Волга', continue: '-||' },
      query: { allpages: [] }
    },
    expected: [['continuation.format', 'breaking']]
  },
  {
    release: '1.26',
    about: 'the warning that asks for continue or rawcontinue ends',
    query: 'action=query&list=allpages',
    before: warn(
      'query',
      'Formatting of continuation data will be changing soon. Use the rawcontinue parameter.'
    ),
    after: query({}),
    expected: [['warning.removed', 'cosmetic']]
  },
  {
    release: '1.25',
    about: 'batchcomplete appears',
    query: 'action=query&titles=Волга',
    before: query({ pages: {} }),
    after: { batchcomplete: '', query: { pages: {} } },
    expected: [['field.added', 'additive']]
  },
  {
    release: '1.25',
    about: 'formatversion=2: flags, pages, "*"',
    query: 'action=query&titles=Волга|Нет',
    // As text: an object of JavaScript would put "46" in front of "-1".
    before: `{"query":{"pages":{"-1":{"ns":0,"title":"Нет","missing":""},"46":{"pageid":46,"ns":0,"title":"Волга",
      "revisions":[{"revid":7,"minor":"","*":"река"}]}}}}`,
    after: query({
      pages: [
        { ns: 0, title: 'Нет', missing: true },
        {
          pageid: 46,
          ns: 0,
          title: 'Волга',
          revisions: [{ revid: 7, minor: true, bot: false, content: 'река' }]
        }
      ]
    }),
    expected: [
      ['encoding.flag', 'breaking'],
      ['encoding.map-array', 'breaking'],
      ['encoding.star', 'breaking']
    ]
  },
  {
    release: '1.26',
    about: 'namespaces become an array',
    query: 'action=query&meta=siteinfo&siprop=namespaces',
    before: query({
      namespaces: { '0': { id: 0, name: '' }, '6': { id: 6, name: 'Файл' } }
    }),
    after: query({
      namespaces: [
        { id: 0, name: '' },
        { id: 6, name: 'Файл' }
      ]
    }),
    expected: [['encoding.map-array', 'breaking']]
  },
  {
    release: '1.25',
    about: 'help is HTML rather than a result',
    query: 'action=help',
    before: { help: 'text' },
    after: '<!DOCTYPE html><title>help</title>',
    expected: [['content-type.changed', 'breaking']]
  },
  {
    release: '1.25',
    about: 'paraminfo drops help text',
    query: 'action=query&meta=description',
    before: query({ modules: [{ name: 'allpages', description: 'Lists pages' }] }),
    after: query({ modules: [{ name: 'allpages' }] }),
    expected: [['field.removed', 'breaking']]
  },
  {
    release: '1.25',
    about: 'log details move under params',
    query: 'action=query&list=logevents',
    before: query({
      logevents: [{ logid: 5, type: 'block', duration: '1 день', noautoblock: '' }]
    }),
    after: query({
      logevents: [
        { logid: 5, type: 'block', params: { duration: '1 день', noautoblock: '' } }
      ]
    }),
    expected: [
      ['field.moved', 'breaking'],
      ['field.moved', 'breaking']
    ]
  },
  {
    release: '1.25',
    about: 'comma-separated text becomes an array',
    query: 'action=query&list=logevents',
    before: query({ logevents: [{ logid: 5, params: { oldgroups: 'bot,sysop' } }] }),
    after: query({ logevents: [{ logid: 5, params: { oldgroups: ['bot', 'sysop'] } }] }),
    expected: [['type.changed', 'breaking']]
  },
  {
    release: '1.25',
    about: 'too many ids continue rather than being dropped',
    query: 'action=query&list=allpages',
    before: {
      continue: { apcontinue: 'В' },
      query: { allpages: [{ title: 'А' }, { title: 'Б' }] }
    },
    after: { continue: { apcontinue: 'Б' }, query: { allpages: [{ title: 'А' }] } },
    expected: [
      ['continuation.batch', 'risky'],
      ['value.changed', 'cosmetic']
    ]
  },
  {
    release: '1.25',
    about: 'new members',
    query: 'action=query&list=search',
    before: query({ search: [{ title: 'Волга' }] }),
    after: query({ search: [{ title: 'Волга', index: 1 }] }),
    expected: [['field.added', 'additive']]
  },
  {
    release: '1.26',
    about: 'revisions in another order',
    query: 'action=query&prop=revisions',
    before: query({ revisions: [{ revid: 1 }, { revid: 2 }, { revid: 3 }] }),
    after: query({ revisions: [{ revid: 3 }, { revid: 1 }, { revid: 2 }] }),
    expected: [['order.changed', 'risky']]
  },
  {
    release: '1.26',
    about: 'a displayname may be false',
    query: 'action=query&list=tags',
    before: query({ tags: [{ name: 'mw-undo', displayname: 'отмена' }] }),
    after: query({ tags: [{ name: 'mw-undo', displayname: false }] }),
    expected: [['type.changed', 'breaking']]
  },
  {
    release: '1.26',
    about: 'errors of blocks carry details',
    query: 'action=edit',
    before: fail('blocked', 'You are blocked'),
    after: fail('blocked', 'You are blocked', { blockinfo: { blockid: 7 } }),
    expected: [['field.added', 'additive']]
  },
  {
    release: '1.26',
    about: 'formats end',
    query: 'action=query&format=yaml',
    before: query({}),
    after: fail('badvalue', 'Unrecognized value for parameter "format": yaml'),
    expected: [['error.appeared', 'breaking']]
  },
  {
    release: '1.28',
    about: 'the answer to login is smaller',
    query: 'action=login&lgname=Bob',
    before: { login: { result: 'Success', lgusername: 'Bob', cookieprefix: 'wiki' } },
    after: { login: { result: 'Success', lgusername: 'Bob' } },
    expected: [['field.removed', 'breaking']]
  },
  {
    release: '1.27',
    about: 'createaccount no longer knows its parameters',
    query: 'action=createaccount&name=Bob',
    before: { createaccount: { result: 'NeedToken' } },
    after: fail('missingparam', 'The "createreturnurl" parameter must be set.'),
    expected: [['error.appeared', 'breaking']]
  },
  {
    release: '1.28',
    about: 'fromencoded in normalized',
    query: 'action=query&titles=a&formatversion=2',
    before: query({ normalized: [{ from: 'a', to: 'A' }] }),
    after: query({ normalized: [{ fromencoded: false, from: 'a', to: 'A' }] }),
    expected: [['field.added', 'additive']]
  },
  {
    release: '1.29',
    about: 'codes lose their prefix',
    query: 'action=query&list=allpages&aplimit=x',
    before: fail('ap_badinteger', 'Bad integer'),
    after: fail('badinteger', 'Bad integer'),
    expected: [['error.code-changed', 'breaking']]
  },
  {
    release: '1.29',
    about: 'errorformat other than bc',
    query: 'action=edit',
    before: {
      error: { code: 'missingparam', info: 'title is missing', '*': 'See api.php' }
    },
    after: {
      errors: [{ code: 'missingparam', text: 'title is missing', module: 'edit' }],
      docref: 'See api.php'
    },
    expected: [['error.envelope', 'breaking']]
  },
  {
    release: '1.29',
    about: 'warnings as an array',
    query: 'action=query&foo=1',
    before: warn('main', 'Unrecognized parameter: foo.'),
    after: {
      warnings: [
        {
          code: 'unrecognizedparams',
          module: 'main',
          text: 'Unrecognized parameter: foo.'
        }
      ],
      query: {}
    },
    expected: [['warning.envelope', 'risky']]
  },
  {
    release: '1.29',
    about: 'two keys of move become one array',
    query: 'action=move',
    before: { move: { from: 'А', to: 'Б', 'talkmove-error-info': 'the page exists' } },
    after: { move: { from: 'А', to: 'Б', 'talkmove-errors': 'the page exists' } },
    expected: [['field.renamed', 'breaking']]
  },
  {
    release: '1.29',
    about: 'purge needs POST',
    query: 'action=purge&titles=Волга',
    before: { purge: [{ title: 'Волга', purged: '' }] },
    after: fail('mustbeposted', 'The "purge" module requires a POST request.'),
    expected: [['method.required', 'breaking']]
  },
  {
    release: '1.30',
    about: 'parsed text is wrapped',
    query: 'action=parse&page=Волга',
    before: { parse: { text: { '*': '<p>река</p>' } } },
    after: {
      parse: { text: { '*': '<div class="mw-parser-output"><p>река</p></div>' } }
    },
    expected: [['html.structure', 'risky']]
  },
  {
    release: '1.31',
    about: 'parameters end with a warning only',
    query: 'action=move&watch=1',
    before: { move: { from: 'Альфа' } },
    after: warn('main', 'Unrecognized parameter: watch.', { move: { from: 'Альфа' } }),
    expected: [['warning.appeared', 'breaking']]
  },
  {
    release: '1.32',
    about: 'too many values fail',
    query: 'action=query&titles=many',
    before: warn(
      'query',
      'Too many values supplied for parameter "titles". The limit is 50.'
    ),
    after: fail('toomanyvalues', 'Too many values supplied for parameter "titles".'),
    expected: [['error.appeared', 'breaking']]
  },
  {
    release: '1.32',
    about: 'missing parameters have one code',
    query: 'action=edit',
    before: fail('notitle', 'The title parameter must be set'),
    after: fail('missingparam', 'The "title" parameter must be set.'),
    expected: [['error.code-changed', 'breaking']]
  },
  {
    release: '1.32',
    about: 'revisions without rvslots',
    query: 'action=query&prop=revisions',
    before: query({}),
    after: warn(
      'revisions',
      'Because "rvslots" was not specified, a legacy format has been used. This format is deprecated.'
    ),
    expected: [['deprecation.appeared', 'risky']]
  },
  {
    release: '1.32',
    about: 'compare tells more',
    query: 'action=compare&fromrev=1&torev=2',
    before: { compare: { fromrevid: 1, '*': '<tr></tr>' } },
    after: {
      compare: {
        fromid: 4,
        fromrevid: 1,
        fromns: 0,
        fromtitle: 'Волга',
        '*': '<tr></tr>'
      }
    },
    expected: [
      ['field.added', 'additive'],
      ['field.added', 'additive'],
      ['field.added', 'additive']
    ]
  },
  {
    release: '1.33',
    about: 'logout must be POSTed with a token',
    query: 'action=logout',
    before: {},
    after: fail('missingparam', 'The "token" parameter must be set.'),
    expected: [['auth.required', 'breaking']]
  },
  {
    release: '1.32',
    about: 'a preference is no longer an array',
    query: 'action=query&meta=userinfo',
    before: query({ userinfo: { id: 1, gadgets: ['a'] } }),
    after: query({ userinfo: { id: 1, gadgets: 'a' } }),
    expected: [['type.changed', 'breaking']]
  },
  {
    release: '1.34',
    about: 'fields of missing files are left out',
    query: 'action=query&list=allimages',
    before: query({
      allimages: [
        { name: 'A.png', mime: 'image/png' },
        { name: 'B.png', mime: null }
      ]
    }),
    after: query({
      allimages: [{ name: 'A.png', mime: 'image/png' }, { name: 'B.png' }]
    }),
    expected: [['field.became-optional', 'breaking']]
  },
  {
    release: '1.34',
    about: 'expiries in ISO 8601',
    query: 'action=query&list=users',
    before: user({ name: 'Bob', blockexpiry: '20270101000000' }),
    after: user({ name: 'Bob', blockexpiry: '2027-01-01T00:00:00Z' }),
    expected: [['value.format', 'breaking']]
  },
  {
    release: '1.34',
    about: 'infinity is infinite',
    query: 'action=query&list=users',
    before: user({ name: 'Bob', blockexpiry: 'infinity' }),
    after: user({ name: 'Bob', blockexpiry: 'infinite' }),
    expected: [['value.format', 'breaking']]
  },
  {
    release: '1.35',
    about: 'strict integers',
    query: 'action=query&list=allpages&aplimit=1.9',
    before: query({ allpages: [{ title: 'Волга' }] }),
    after: fail('badinteger', 'Invalid value "1.9" for integer parameter "aplimit".'),
    expected: [['error.appeared', 'breaking']]
  },
  {
    release: '1.35',
    about: 'login without a session says Failed',
    query: 'action=login&lgname=Bob',
    before: { login: { result: 'NeedToken' } },
    after: { login: { result: 'Failed' } },
    expected: [['enum.value-changed', 'breaking']]
  },
  {
    release: '1.37',
    about: 'action=tokens ends',
    query: 'action=tokens',
    before: { tokens: { edittoken: '+\\' } },
    after: fail('badvalue', 'Unrecognized value for parameter "action": tokens.'),
    expected: [['error.appeared', 'breaking']]
  },
  {
    release: '1.37',
    about: 'intoken is ignored with a warning, and no token comes',
    query: 'action=query&prop=info&titles=Волга&intoken=edit',
    before: query({ pages: { '46': { pageid: 46, title: 'Волга', edittoken: '+\\' } } }),
    after: warn('main', 'Unrecognized parameter: intoken.', {
      query: { pages: { '46': { pageid: 46, title: 'Волга' } } }
    }),
    expected: [
      ['field.removed', 'breaking'],
      ['warning.appeared', 'breaking']
    ]
  },
  {
    release: '1.42',
    about: 'tags come from software',
    query: 'action=query&list=tags&tgprop=source',
    before: query({ tags: [{ name: 'mw-undo', source: ['extension'] }] }),
    after: query({ tags: [{ name: 'mw-undo', source: ['extension', 'software'] }] }),
    expected: [['enum.value-added', 'risky']]
  },
  {
    release: '1.43',
    about: 'the day of registration may be null',
    query: 'action=query&meta=userinfo&uiprop=registrationdate',
    before: query({ userinfo: { id: 1, registrationdate: '2020-01-01T00:00:00Z' } }),
    after: query({ userinfo: { id: 1, registrationdate: null } }),
    expected: [['field.nullable', 'breaking']]
  },
  {
    release: '1.43',
    about: 'the right writeapi ends',
    query: 'action=query&meta=userinfo&uiprop=rights',
    before: query({ userinfo: { rights: ['read', 'writeapi'] } }),
    after: query({ userinfo: { rights: ['read'] } }),
    expected: [['enum.value-removed', 'breaking']]
  },
  {
    release: '1.44',
    about: 'headings are wrapped',
    query: 'action=parse&page=Волга&formatversion=2',
    before: { parse: { text: '<h2><span class="mw-headline" id="a">a</span></h2>' } },
    after: {
      parse: { text: '<div class="mw-heading mw-heading2"><h2 id="a">a</h2></div>' }
    },
    expected: [['html.structure', 'risky']]
  },
  {
    release: '1.45',
    about: 'parsoid= is deprecated',
    query: 'action=parse&page=Волга&parsoid=1',
    before: { parse: {} },
    after: warn('parse', 'The parameter "parsoid" has been deprecated.', { parse: {} }),
    expected: [['deprecation.appeared', 'risky']]
  },
  {
    release: '1.39',
    about: 'continue values are DB keys',
    query: 'action=query&list=allpages',
    before: {
      'query-continue': { allpages: { apcontinue: 'Берёза (фильм)' } },
      query: { allpages: [] }
    },
    after: {
      'query-continue': { allpages: { apcontinue: 'Берёза_(фильм)' } },
      query: { allpages: [] }
    },
    expected: [['continuation.value-shape', 'risky']]
  },
  {
    release: '1.39',
    about: 'the limit report only',
    query: 'action=parse&text=a',
    before: {
      parse: {
        text: {
          '*': '<p>a</p>\n<!-- \nNewPP limit report\nHighest expansion depth: 2/40\n-->'
        }
      }
    },
    after: {
      parse: {
        text: {
          '*': '<p>a</p>\n<!-- \nNewPP limit report\nHighest expansion depth: 2/100\n-->'
        }
      }
    },
    expected: []
  },
  {
    release: '1.39',
    about: 'a module without its extension',
    query: 'action=query&list=gadgetcategories',
    before: query({ gadgetcategories: [] }),
    after: {
      warnings: {
        query: { '*': 'Unrecognized value for parameter "list": gadgetcategories' }
      }
    },
    expected: [
      ['field.removed', 'breaking'],
      ['warning.appeared', 'breaking']
    ]
  },
  {
    release: '1.25',
    about: 'paraminfo drops help text, as it answers',
    query: 'action=paraminfo&modules=main',
    before: {
      paraminfo: {
        helpformat: 'none',
        modules: [{ name: 'main', path: 'main', description: 'This is…', parameters: [] }]
      }
    },
    after: {
      paraminfo: {
        helpformat: 'none',
        modules: [{ name: 'main', path: 'main', parameters: [] }]
      }
    },
    expected: [['field.removed', 'breaking']]
  },
  {
    release: '1.25',
    about: 'the number of an automatic patrol is a flag',
    query: 'action=query&list=logevents&leaction=patrol/patrol',
    before: query({ logevents: [{ logid: 5, params: { auto: 1 } }] }),
    after: query({ logevents: [{ logid: 5, params: { auto: '' } }] }),
    expected: [['type.changed', 'breaking']]
  },
  {
    release: '1.25',
    about: 'tointerwiki in redirects, restrictiontypes',
    query: 'action=query&titles=А&redirects=1&prop=info&inprop=protection',
    before: query({
      redirects: [{ from: 'А', to: 'en:B' }],
      pages: { '5': { pageid: 5, title: 'А' } }
    }),
    after: query({
      redirects: [{ from: 'А', to: 'en:B', tointerwiki: 'en' }],
      pages: { '5': { pageid: 5, title: 'А', restrictiontypes: ['edit'] } }
    }),
    expected: [
      ['field.added', 'additive'],
      ['field.added', 'additive']
    ]
  },
  {
    release: '1.27',
    about: 'the answer to login loses lgtoken, cookieprefix and sessionid',
    query: 'action=login&lgname=Bob',
    before: {
      login: {
        result: 'Success',
        lgusername: 'Bob',
        lgtoken: 'a1b2',
        cookieprefix: 'wiki',
        sessionid: 'c3d4'
      }
    },
    after: { login: { result: 'Success', lgusername: 'Bob' } },
    expected: [
      ['field.removed', 'breaking'],
      ['field.removed', 'breaking'],
      ['field.removed', 'breaking']
    ]
  },
  {
    release: '1.27',
    about: 'upload no longer knows statuskey',
    query: 'action=upload&statuskey=x',
    before: { upload: { result: 'Continue' } },
    after: warn('main', 'Unrecognized parameter: statuskey.', {
      upload: { result: 'Continue' }
    }),
    expected: [['warning.appeared', 'breaking']]
  },
  {
    release: '1.28',
    about: 'text that is not NFC draws a warning',
    query: 'action=query&titles=e\u0301',
    before: query({ pages: {} }),
    after: warn(
      'main',
      'The value passed for "titles" contains invalid or non-normalized data.',
      {
        query: { pages: {} }
      }
    ),
    expected: [['warning.appeared', 'risky']]
  },
  {
    release: '1.28',
    about: 'parse drops modulemessages',
    query: 'action=parse&page=Волга&prop=modules',
    before: { parse: { title: 'Волга', modules: ['site'], modulemessages: [] } },
    after: { parse: { title: 'Волга', modules: ['site'] } },
    expected: [['field.removed', 'breaking']]
  },
  {
    release: '1.29',
    about: 'the errors of a moved talk page are an array',
    query: 'action=move&from=А&to=Б',
    before: {
      move: {
        from: 'А',
        to: 'Б',
        'talkmove-error-code': 'articleexists',
        'talkmove-error-info': 'exists'
      }
    },
    after: {
      move: {
        from: 'А',
        to: 'Б',
        'talkmove-errors': [{ code: 'articleexists', type: 'error' }]
      }
    },
    expected: [
      ['field.removed', 'breaking'],
      ['field.removed', 'breaking'],
      ['field.added', 'additive']
    ]
  },
  {
    release: '1.29',
    about: 'watch drops its message',
    query: 'action=watch&titles=А',
    before: {
      watch: [{ title: 'А', watched: '', message: '<p>The page has been added.</p>' }]
    },
    after: { watch: [{ title: 'А', watched: '' }] },
    expected: [['field.removed', 'breaking']]
  },
  {
    release: '1.29',
    about: 'secrets in the query string are an error',
    query: 'action=login&lgname=Bob',
    before: { login: { result: 'NeedToken', token: '+\\' } },
    after: fail(
      'mustpostparams',
      'The following parameter was found in the query string: lgpassword.'
    ),
    expected: [['method.required', 'breaking']]
  },
  {
    release: '1.29',
    about: 'fewer pages than the limit, and more to come',
    query: 'action=query&list=allpages&apfilterredir=redirects&aplimit=2',
    before: {
      continue: { apcontinue: 'В' },
      query: { allpages: [{ title: 'А' }, { title: 'Б' }] }
    },
    after: { continue: { apcontinue: 'В' }, query: { allpages: [{ title: 'А' }] } },
    expected: [['continuation.batch', 'risky']]
  },
  {
    release: '1.31',
    about: 'a value of tgprop ends with a warning only',
    query: 'action=query&list=tags&tgprop=name|hitcount',
    before: query({ tags: [{ name: 'mw-undo', hitcount: 5 }] }),
    after: warn('tags', 'Unrecognized value for parameter "tgprop": name.', {
      query: { tags: [{ name: 'mw-undo', hitcount: 5 }] }
    }),
    expected: [['warning.appeared', 'breaking']]
  },
  {
    release: '1.34',
    about: 'recenteditcount ends',
    query: 'action=query&list=allusers&auactiveusers=1',
    before: query({
      allusers: [{ userid: 1, name: 'Bob', recenteditcount: 3, recentactions: 3 }]
    }),
    after: query({ allusers: [{ userid: 1, name: 'Bob', recentactions: 3 }] }),
    expected: [['field.removed', 'breaking']]
  },
  {
    release: '1.37',
    about: 'rctoken is ignored with a warning, and no token comes',
    query: 'action=query&list=recentchanges&rctoken=patrol',
    before: query({ recentchanges: [{ rcid: 5, patroltoken: '+\\' }] }),
    after: warn('main', 'Unrecognized parameter: rctoken.', {
      query: { recentchanges: [{ rcid: 5 }] }
    }),
    expected: [
      ['field.removed', 'breaking'],
      ['warning.appeared', 'breaking']
    ]
  },
  {
    release: '1.38',
    about: 'cancreateaccount, parsedreason',
    query:
      'action=query&list=blocks&meta=userinfo&uiprop=cancreateaccount&bkprop=id|parsedreason',
    before: query({ userinfo: { id: 1, name: 'Bob' }, blocks: [{ id: 7 }] }),
    after: query({
      userinfo: { id: 1, name: 'Bob', cancreateaccount: '' },
      blocks: [{ id: 7, parsedreason: 'spam' }]
    }),
    expected: [
      ['field.added', 'additive'],
      ['field.added', 'additive']
    ]
  },
  {
    release: '1.39',
    about: 'an announcement in a warning that stands there already',
    query: 'action=query&foo=1',
    before: warn('main', 'Unrecognized parameter: foo.'),
    after: warn(
      'main',
      'Unrecognized parameter: foo.\nSubscribe to the mediawiki-api-announce mailing list.'
    ),
    expected: [['text.changed', 'cosmetic']]
  },
  {
    release: '1.39',
    about: 'pageid 0 and parsewarnings in parse',
    query: 'action=parse&text=a',
    before: { parse: { title: 'API' } },
    after: { parse: { title: 'API', pageid: 0, parsewarnings: [] } },
    expected: [
      ['field.added', 'additive'],
      ['field.added', 'additive']
    ]
  }
]

describe('changes of MediaWiki', () => {
  it.each(rows)('$release: $about', ({ query: request, before, after, expected }) => {
    const report = compareCassettes(
      side('a', { [request]: before }),
      side('b', { [request]: after })
    )
    expect(report.findings.map(({ kind, severity }) => [kind, severity])).toEqual(
      expected
    )
  })
})
