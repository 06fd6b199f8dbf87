/**
 * Every change of the Action API that the release notes of MediaWiki 1.26 to 1.45 name, what wikis show of it, and
 * what `diff` shall tell. Recorded by `scripts/known-changes.ts`, judged by `score.test.ts`.
 */

/** Versions of which something is recorded: the lab's, and a 1.25.4 of which descriptions and some answers are kept. */
export type Version = '1.25' | '1.35' | '1.39' | '1.43'

/** What two wikis show. */
export interface Shown {
  readonly between: readonly [Version, Version]
  /** Modules by path with the parameters that matter, `query+random redirect filterredir`; `!` where one side lacks it. */
  readonly modules?: readonly string[]
  /** Requests that use what changed in the modules, whatever is answered. */
  readonly uses?: readonly string[]
  /** The request whose answers are compared. */
  readonly asked?: string
  /** As whom, or after what; nobody in particular unless said. */
  readonly as?: 'Admin' | 'a bot after an edit' | 'a user of before 2005'
}

export interface ApiChange {
  readonly release: string
  readonly module: string
  readonly what: string
  readonly breaks: boolean
  /** Words of the line in the release notes; undefined for releases whose notes no wiki of the lab brings. */
  readonly notes: RegExp | undefined
  /** What shows it, or why nothing here can. */
  readonly shown: Shown | string
  /** `severity kind place` or `severity kind place value`: all of it and, of the contract, nothing else. */
  readonly told: readonly string[]
}

const since125: readonly [Version, Version] = ['1.25', '1.35']
const since135: readonly [Version, Version] = ['1.35', '1.39']
const since139: readonly [Version, Version] = ['1.39', '1.43']

/** Why a change shows in nothing that is at hand. */
const unseen = {
  login: 'in the answer to a login, and no 1.25 answers here',
  write: 'in the answer to a write, and no 1.25 answers here',
  error: 'in an error, and the recorded answers of the 1.25 have none',
  header: 'in HTTP headers between browser and wiki, which no recording keeps',
  input: 'in what may be sent; the answer is as before',
  between: 'came after 1.25 and went, or changed again, before 1.35',
  rare: 'only on a wiki in a state that none here is in',
  words: 'in the description for people, which promises nothing',
  newer: 'newer than the wikis here'
} as const

type Row = readonly [
  release: string,
  module: string,
  what: string,
  breaks: boolean,
  notes: RegExp | undefined,
  shown: Shown | string,
  told?: readonly string[]
]

/** A module that only the later wiki describes. */
const born = (module: string, between = since125): Shown => ({
  between,
  modules: [`${module} !`]
})
/** Parameters of a module, and requests that use them. */
const described = (
  modules: string,
  uses: readonly string[] = [],
  between = since125
): Shown => ({
  between,
  modules: [modules],
  uses
})
const answered = (asked: string, between = since125): Shown => ({ between, asked })

const rows: readonly Row[] = [
  [
    '1.26',
    'query',
    '"continue" is the default form of continuation',
    true,
    /New-style continuation is now the default/,
    answered('action=query&list=allpages&apfrom=B&format=json'),
    ['breaking continuation.format continue', 'cosmetic warning.removed warnings.query']
  ],
  [
    '1.26',
    'format',
    'dump and wddx ended',
    true,
    /dump and wddx have been completely removed/,
    described('main format', ['action=query&meta=siteinfo&format=wddx']),
    [
      'breaking param.value-removed format[*] wddx',
      'note param.value-removed format[*] dump'
    ]
  ],
  [
    '1.26',
    'query+tags',
    'the displayname may be false',
    true,
    /displayname can now be boolean false/,
    unseen.rare
  ],
  [
    '1.26',
    'import',
    'namespace and rootpage exclude each other',
    true,
    /no longer allows both the namespace= and rootpage=/,
    unseen.write
  ],
  [
    '1.26',
    'query+revisions',
    'enumerated by time, not by number',
    false,
    /enum mode is now sorted by timestamp/,
    unseen.rare
  ],
  [
    '1.26',
    'query+siteinfo',
    'namespaces are an array (formatversion=2)',
    true,
    /siprop=namespaces is now an array/,
    'the recorded answers of the 1.25 have no siteinfo in formatversion=2'
  ],
  [
    '1.26',
    'query+siteinfo',
    'other lists are arrays (formatversion=2)',
    true,
    /Various other output from meta=siteinfo/,
    'the recorded answers of the 1.25 have no siteinfo in formatversion=2'
  ],
  [
    '1.26',
    '*',
    'errors about a block say which',
    false,
    /errors about users being blocked/,
    unseen.error
  ],
  [
    '1.26',
    'query+random',
    'higher limits',
    false,
    /list=random has higher limits/,
    described('query+random limit', ['action=query&list=random']),
    ['additive param.limit-raised rnlimit']
  ],
  [
    '1.26',
    'query+random',
    'redirect deprecated for filterredir',
    false,
    /rnredirect parameter is deprecated/,
    described('query+random redirect filterredir', [
      'action=query&list=random&rnredirect=1'
    ]),
    ['risky param.deprecated rnredirect', 'additive param.added rnfilterredir']
  ],
  [
    '1.26',
    'query+random',
    'continues',
    false,
    /list=random now supports continuation/,
    described('query+random continue'),
    ['additive param.added rncontinue']
  ],
  [
    '1.26',
    '*',
    'ETag and Last-Modified',
    false,
    /may now include ETag and Last-Modified/,
    unseen.header
  ],
  [
    '1.27',
    'query+allrevisions',
    'new module',
    false,
    /Added list=allrevisions/,
    born('query+allrevisions'),
    ['additive module.added']
  ],
  [
    '1.27',
    'query+recentchanges',
    'generates revisions, too',
    false,
    /generator=recentchanges now has the option/,
    described('query+recentchanges generaterevisions'),
    ['additive param.added rcgeneraterevisions']
  ],
  [
    '1.27',
    'query+imageinfo',
    'uploadwarning without was-deleted',
    true,
    /iiprop=uploadwarning will no longer include/,
    unseen.rare
  ],
  [
    '1.27',
    'query+revisions',
    'difftotextpst',
    false,
    /Added difftotextpst to query=revisions/,
    described('query+revisions difftotextpst'),
    ['additive param.added rvdifftotextpst']
  ],
  [
    '1.27',
    'format',
    'dbg, txt and yaml ended',
    true,
    /formats dbg, txt, and yaml have been removed/,
    described('main format', ['action=query&meta=siteinfo&format=yaml']),
    [
      'breaking param.value-removed format[*] yaml',
      'note param.value-removed format[*] dbg'
    ]
  ],
  [
    '1.27',
    'query+logevents',
    'protections are written in the new style',
    true,
    /protect log event details now use new-style/,
    'the recorded log of the 1.25 has no protection'
  ],
  [
    '1.27',
    'login',
    'lgtoken, cookieprefix and sessionid deprecated',
    false,
    /login are deprecated, and may/,
    unseen.login
  ],
  [
    '1.27',
    'login',
    'takes bot passwords',
    false,
    /login transparently allows login using bot passwords/,
    unseen.login
  ],
  [
    '1.27',
    'upload',
    'statuskey, asyncdownload and leavemessage ended',
    true,
    /no longer understands statuskey/,
    described('upload statuskey', ['action=upload&statuskey=1']),
    ['breaking param.removed statuskey']
  ],
  [
    '1.27',
    'login',
    'deprecated but for bot passwords',
    false,
    /login is deprecated for uses other than/,
    unseen.login
  ],
  [
    '1.27',
    'query+users',
    'cancreate',
    false,
    /can now indicate if a missing username is creatable/,
    described('query+users prop'),
    ['additive param.value-added usprop[*] cancreate']
  ],
  [
    '1.27',
    'createaccount',
    'works through AuthManager',
    true,
    /createaccount is changed in a non-backwards-compatible/,
    described('createaccount name password email createreturnurl createtoken', [
      'action=createaccount&name=A'
    ]),
    [
      'breaking param.removed name',
      'breaking module.prefix-changed',
      'note param.removed email',
      'note param.removed password'
    ]
  ],
  ...(
    [
      'query+authmanagerinfo',
      'clientlogin',
      'linkaccount',
      'unlinkaccount',
      'changeauthenticationdata',
      'removeauthenticationdata',
      'resetpassword'
    ] as const
  ).map(
    (module): Row => [
      '1.27',
      module,
      'new module',
      false,
      new RegExp(`Added action=(?:query&meta=)?${module.replace('query+', '')}`),
      born(module),
      ['additive module.added']
    ]
  ),
  [
    '1.28',
    'query+siteinfo',
    'maxarticlesize',
    false,
    /Added 'maxarticlesize' property/,
    'the recorded answers of the 1.25 have no general siteinfo'
  ],
  [
    '1.28',
    'parse',
    'modulemessages ended',
    true,
    /'modulemessages' from action=parse/,
    'the recorded answers of the 1.25 have no modules of a parse'
  ],
  [
    '1.28',
    'login',
    'lgtoken, cookieprefix and sessionid ended',
    true,
    /now removed: lgtoken, cookieprefix, sessionid/,
    unseen.login
  ],
  [
    '1.28',
    'login',
    'token and password in the query string deprecated',
    false,
    /Submitting the lgtoken and lgpassword parameters in the query string/,
    unseen.between
  ],
  [
    '1.28',
    'clientlogin …',
    'secrets in the query string deprecated',
    false,
    /query string is now deprecated and outputs a warning/,
    unseen.between
  ],
  [
    '1.28',
    '*',
    'U+001F separates values',
    false,
    /separated using U\+001F/,
    unseen.input
  ],
  [
    '1.28',
    '*',
    'a warning for what is not NFC',
    false,
    /warn if input is not NFC-normalized/,
    'the recorded requests to the 1.25 are NFC'
  ],
  [
    '1.28',
    'query',
    'normalized has fromencoded',
    false,
    /indicated by a 'fromencoded' boolean/,
    answered(
      'action=query&prop=duplicatefiles&titles=File:Map_07.png|file:Вид_00.png&format=json&formatversion=2'
    ),
    ['additive field.added query.normalized[*].fromencoded']
  ],
  [
    '1.28',
    'paraminfo',
    'all submodules at once (**)',
    false,
    /can now return info about all submodules/,
    unseen.input
  ],
  [
    '1.28',
    'main',
    'assertuser',
    false,
    /using the 'assertuser' parameter/,
    described('main assertuser'),
    ['additive param.added assertuser']
  ],
  ['1.28', 'query', 'known', false, /Added a 'known' property/, unseen.rare],
  [
    '1.29',
    'clientlogin …',
    'secrets in the query string are an error',
    true,
    /query string is now an error/,
    described('login password', ['action=login&lgpassword=x']),
    ['risky param.sensitive lgpassword', 'note param.type-changed lgpassword']
  ],
  [
    '1.29',
    'resetpassword',
    'capture ended',
    true,
    /capture option for action=resetpassword/,
    unseen.between
  ],
  [
    '1.29',
    'clearhasmsg',
    'needs POST',
    true,
    /clearhasmsg now requires a POST/,
    described('clearhasmsg', ['action=clearhasmsg']),
    ['breaking module.post-required']
  ],
  [
    '1.29',
    'main',
    'errorformat, errorlang, errorsuselocal',
    false,
    /'errorformat', 'errorlang', and 'errorsuselocal'/,
    described('main errorformat errorlang errorsuselocal'),
    [
      'additive param.added errorformat',
      'additive param.added errorlang',
      'additive param.added errorsuselocal'
    ]
  ],
  [
    '1.29',
    '*',
    'error codes lost their prefix',
    true,
    /will no longer be prefixed/,
    unseen.error
  ],
  [
    '1.29',
    'query',
    'invalidreason follows errorformat',
    false,
    /will report the 'invalidreason'/,
    unseen.rare
  ],
  [
    '1.29',
    'emailuser',
    'status Warnings',
    true,
    /emailuser may return a "Warnings" status/,
    unseen.write
  ],
  [
    '1.29',
    'imagerotate',
    'errors',
    true,
    /imagerotate returns an 'errors' subelement/,
    unseen.write
  ],
  [
    '1.29',
    'move',
    'talkmove-errors',
    true,
    /'talkmove-errors', rather than/,
    unseen.write
  ],
  [
    '1.29',
    'revisiondelete',
    'rendered ended',
    true,
    /no longer includes a "rendered" property/,
    unseen.write
  ],
  [
    '1.29',
    'rollback',
    'messageHtml ended',
    true,
    /no longer returns a "messageHtml" property/,
    unseen.write
  ],
  ['1.29', 'upload', 'stasherrors', true, /'stasherrors' rather than/, unseen.write],
  [
    '1.29',
    'watch',
    'errors, no message',
    true,
    /watch reports 'errors' and 'warnings'/,
    unseen.write
  ],
  [
    '1.29',
    'validatepassword',
    'new module',
    false,
    /Added action=validatepassword/,
    born('validatepassword'),
    ['additive module.added']
  ],
  [
    '1.29',
    'purge',
    'needs POST',
    true,
    /purge now requires a POST/,
    'a 1.25 wanted it of callers who are not logged in, as the one that was recorded was not'
  ],
  [
    '1.29',
    'query+siteinfo',
    'languagevariants',
    false,
    /new `languagevariants` siprop/,
    described('query+siteinfo prop'),
    ['additive param.value-added siprop[*] languagevariants']
  ],
  [
    '1.29',
    'query+allpages',
    'fewer rows in miser mode',
    false,
    /no longer filter redirects using a database/,
    unseen.rare
  ],
  [
    '1.30',
    'parse',
    'text is wrapped in div.mw-parser-output',
    true,
    /class="mw-parser-output" by default/,
    answered('action=parse&text={{PAGENAME}}&title=Test&format=json'),
    ['risky html.structure parse.text.*']
  ],
  [
    '1.30',
    'login',
    'reasons follow errorformat',
    false,
    /abort reasons from action=login/,
    unseen.login
  ],
  [
    '1.30',
    'compare',
    'texts, deleted revisions, users',
    false,
    /compare can now handle arbitrary text/,
    described('compare prop'),
    ['additive param.added prop']
  ],
  [
    '1.30',
    'query+revisions …',
    'diffto, parse, expandtemplates … deprecated',
    false,
    /parameters to prop=revisions are deprecated/,
    described('query+revisions diffto parse', [
      'action=query&prop=revisions&titles=A&rvdiffto=prev&rvparse=1'
    ]),
    ['risky param.deprecated rvdiffto', 'risky param.deprecated rvparse']
  ],
  [
    '1.31',
    'query+tags',
    'prop=name ended',
    true,
    /'name' value to tgprop/,
    described('query+tags prop', ['action=query&list=tags&tgprop=name']),
    ['breaking param.value-removed tgprop[*] name', 'note param.default-changed tgprop']
  ],
  [
    '1.31',
    'move',
    'watch and unwatch ended',
    true,
    /'watch' and 'unwatch' parameters for action=move/,
    described('move watch unwatch', ['action=move&watch=1&unwatch=1']),
    ['breaking param.removed watch', 'breaking param.removed unwatch']
  ],
  [
    '1.32',
    '*',
    'templated parameters',
    false,
    /Added templated parameters/,
    described('compare fromtext-{slot}'),
    ['additive param.added "fromtext-{slot}"']
  ],
  [
    '1.32',
    'paraminfo',
    'index',
    false,
    /include an "index"/,
    'in the description of parameters alone, where it says their order and promises nothing'
  ],
  [
    '1.32',
    '*',
    'too many values are an error',
    true,
    /error to submit too many values/,
    unseen.error
  ],
  [
    '1.32',
    'main',
    "assert fails in the API's own format",
    true,
    /Assertion failures from the 'assert' and 'assertuser'/,
    unseen.error
  ],
  [
    '1.32',
    'query+userinfo',
    'lists among the options are texts',
    true,
    /User list preferences such as/,
    unseen.rare
  ],
  [
    '1.32',
    '*',
    'missingparam has the prefix',
    true,
    /'missingparam' errors will now use the prefixed/,
    unseen.error
  ],
  [
    '1.32',
    'query+revisions',
    'slots',
    false,
    /now takes a 'rvslots' parameter/,
    described('query+revisions slots'),
    ['additive param.added rvslots']
  ],
  [
    '1.32',
    'query+revisions',
    'prop=roles',
    false,
    /new rvprop, 'roles'/,
    described('query+revisions prop'),
    [
      'additive param.value-added rvprop[*] roles',
      'additive param.value-added rvprop[*] parsetree'
    ]
  ],
  [
    '1.32',
    'query+revisions',
    'a warning without slots',
    false,
    /warning will be issued if rvprop=content/,
    'the recorded answers of the 1.25 have no text of a revision'
  ],
  [
    '1.32',
    'query+revisions',
    'contentformat deprecated',
    false,
    /rvcontentformat parameter to action=query&prop=revisions has been/,
    described('query+revisions contentformat', [
      'action=query&prop=revisions&titles=A&rvcontentformat=text/x-wiki'
    ]),
    ['risky param.deprecated rvcontentformat']
  ],
  [
    '1.32',
    'query+revisions',
    'old parameters are forbidden beside slots',
    true,
    /is forbidden with the new 'rvslots' parameter/,
    unseen.input
  ],
  [
    '1.32',
    'query+deletedrevisions …',
    'the same',
    false,
    /list=alldeletedrevisions are changed similarly/,
    described('query+deletedrevisions slots contentformat', [
      'action=query&prop=deletedrevisions&titles=A&drvcontentformat=text/x-wiki'
    ]),
    ['risky param.deprecated drvcontentformat', 'additive param.added drvslots']
  ],
  [
    '1.32',
    'compare',
    'slots, fromslots, toslots',
    false,
    /has a 'slots' parameter to select diffing/,
    described('compare slots fromslots toslots'),
    [
      'additive param.added slots',
      'additive param.added fromslots',
      'additive param.added toslots'
    ]
  ],
  [
    '1.32',
    'compare',
    'fromtext … deprecated',
    false,
    /'totext', 'tosection', 'tocontentmodel'/,
    unseen.between
  ],
  [
    '1.32',
    'compare',
    'fromsection means something else',
    true,
    /behavior of 'fromsection' and 'tosection'/,
    unseen.between
  ],
  [
    '1.32',
    'parse',
    'disabletidy deprecated',
    false,
    /'disabletidy' parameter to action=parse/,
    'the parameter came after 1.25'
  ],
  [
    '1.32',
    'query+info',
    'intestactionsdetail',
    false,
    /Added intestactionsdetail/,
    described('query+info testactionsdetail'),
    ['additive param.added intestactionsdetail']
  ],
  [
    '1.32',
    'query+info',
    'inprop=readable deprecated',
    false,
    /inprop=readable in favor of/,
    described('query+info prop', ['action=query&prop=info&titles=A&inprop=readable']),
    ['risky param.value-deprecated inprop[*]', 'additive param.value-added inprop[*]']
  ],
  ['1.32', 'delete', 'scheduled', false, /'scheduled' and no 'logid'/, unseen.write],
  [
    '1.33',
    'json',
    'formatversion=2 is no longer an experiment',
    false,
    /formatversion=2 is no longer experimental/,
    unseen.words
  ],
  ['1.33', '*', 'errorclass', false, /data field named "errorclass"/, unseen.rare],
  [
    '1.33',
    'setnotificationtimestamp',
    'works later',
    false,
    /update the watchlist asynchronously/,
    unseen.write
  ],
  [
    '1.33',
    '*',
    'more errors say which block',
    false,
    /Block info will be added to "blocked" errors/,
    unseen.error
  ],
  [
    '1.33',
    'edit, move',
    'spread autoblocks',
    false,
    /Autoblocks will now be spread/,
    unseen.rare
  ],
  [
    '1.33',
    'query+userinfo',
    'latestcontrib',
    false,
    /new uiprop, 'latestcontrib'/,
    described('query+userinfo prop'),
    [
      'additive param.value-added uiprop[*] latestcontrib',
      'note param.value-deprecated uiprop[*]'
    ]
  ],
  [
    '1.33',
    'logout',
    'needs POST and a token',
    true,
    /logout now requires to be posted/,
    answered('action=logout&format=json'),
    ['breaking auth.required error']
  ],
  [
    '1.34',
    'query+allusers',
    'recenteditcount ended',
    true,
    /'recenteditcount' response property/,
    'the recorded answers of the 1.25 list no active users'
  ],
  [
    '1.34',
    'query+filearchive …',
    'everybody may ask',
    false,
    /no longer require the 'deletedhistory' user right/,
    unseen.error
  ],
  [
    '1.34',
    'query+imageinfo',
    'a missing file has fewer fields',
    true,
    /\(indicated by the 'filemissing' field\)/,
    unseen.rare
  ],
  [
    '1.34',
    'query+users',
    'blockexpiry is ISO 8601',
    true,
    /'blockexpiry' result property/,
    'the recorded answers of the 1.25 have no blocked user'
  ],
  [
    '1.35',
    'opensearch',
    'suggest deprecated',
    false,
    /'suggest' parameter of action=opensearch/,
    described('opensearch suggest', ['action=opensearch&search=A&suggest=1']),
    ['risky param.deprecated suggest']
  ],
  [
    '1.35',
    '*',
    'whole numbers are checked',
    true,
    /Integer-type parameters are now validated/,
    unseen.error
  ],
  [
    '1.35',
    '*',
    'users by number',
    false,
    /user-type parameters now accept a user ID/,
    described('query+usercontribs user', ['action=query&list=usercontribs&ucuser=A']),
    ['note param.type-changed ucuser']
  ],
  [
    '1.35',
    'main',
    'assert=anon',
    false,
    /now supports the value 'anon'/,
    described('main assert'),
    ['additive param.value-added assert[*] anon']
  ],
  [
    '1.35',
    'edit',
    'baserevid',
    false,
    /supports {1,2}the 'baserevid' parameter/,
    described('edit baserevid'),
    ['additive param.added baserevid']
  ],
  [
    '1.35',
    'changecontentmodel',
    'new module',
    false,
    /module was added to change the content model/,
    born('changecontentmodel'),
    ['additive module.added']
  ],
  [
    '1.35',
    'watch',
    'expiry',
    false,
    /watch accepts a new 'expiry' parameter/,
    unseen.rare
  ],
  [
    '1.35',
    'query+watchlistraw',
    'expiry',
    false,
    /watchlistraw returns pages' watchlist expiry/,
    unseen.rare
  ],
  [
    '1.35',
    'login',
    'Failed where the session is lost',
    true,
    /login will now return Failed rather than NeedToken/,
    unseen.login
  ],
  [
    '1.36',
    '*',
    'Access-Control-Max-Age',
    false,
    /`Access-Control-Max-Age` was added/,
    unseen.header
  ],
  [
    '1.36',
    'edit …',
    'bots do not watch what they edit',
    true,
    /'bot' right no longer have pages automatically/,
    {
      between: since135,
      asked: 'action=query&prop=info&inprop=watched&titles=Волга',
      as: 'a bot after an edit'
    },
    ['risky field.removed query.pages[*].watched']
  ],
  [
    '1.37',
    'query+info',
    'intoken ended',
    true,
    /action=query&prop=info&intoken ->/,
    {
      between: since135,
      modules: ['query+info token'],
      asked: 'action=query&prop=info&intoken=edit&titles=Волга',
      as: 'Admin'
    },
    [
      'breaking param.removed intoken',
      'breaking warning.appeared warnings.main',
      'breaking field.removed query.pages[*].edittoken',
      'breaking field.removed query.pages[*].starttimestamp'
    ]
  ],
  [
    '1.37',
    'tokens',
    'module ended',
    true,
    /action=tokens&type= ->/,
    {
      between: since135,
      modules: ['tokens !'],
      asked: 'action=tokens&type=edit',
      as: 'Admin'
    },
    ['breaking module.removed', 'breaking error.appeared error']
  ],
  [
    '1.37',
    'query+recentchanges',
    'token ended',
    true,
    /list=recentchanges&rctoken ->/,
    {
      between: since135,
      modules: ['query+recentchanges token'],
      asked: 'action=query&list=recentchanges&rclimit=1&rctoken=patrol',
      as: 'Admin'
    },
    [
      'breaking param.removed rctoken',
      'breaking warning.appeared warnings.main',
      'breaking field.removed query.recentchanges[*].patroltoken'
    ]
  ],
  [
    '1.37',
    'query+revisions',
    'token ended',
    true,
    /rvtoken=rollback ->/,
    {
      between: since135,
      modules: ['query+revisions token'],
      asked: 'action=query&prop=revisions&titles=Волга&rvprop=ids&rvtoken=rollback',
      as: 'Admin'
    },
    [
      'breaking param.removed rvtoken',
      'breaking warning.appeared warnings.main',
      'breaking field.removed query.pages[*].revisions[*].rollbacktoken'
    ]
  ],
  [
    '1.37',
    'query+userinfo',
    'preferencestoken ended',
    true,
    /uiprop=preferencestoken ->/,
    {
      between: since135,
      modules: ['query+userinfo prop'],
      asked: 'action=query&meta=userinfo&uiprop=preferencestoken',
      as: 'Admin'
    },
    [
      'breaking param.value-removed uiprop[*] preferencestoken',
      'breaking warning.appeared warnings.userinfo',
      'breaking field.removed query.userinfo.preferencestoken'
    ]
  ],
  [
    '1.37',
    'query+users',
    'token ended',
    true,
    /ustoken=userrights ->/,
    {
      between: since135,
      modules: ['query+users token'],
      asked: 'action=query&list=users&ususers=Bob&ustoken=userrights',
      as: 'Admin'
    },
    [
      'breaking param.removed ustoken',
      'breaking warning.appeared warnings.main',
      'breaking field.removed query.users[*].userrightstoken'
    ]
  ],
  [
    '1.38',
    'delete',
    'deletetalk',
    false,
    /New `deletetalk` parameter/,
    described('delete deletetalk', [], since135),
    ['additive param.added deletetalk']
  ],
  [
    '1.38',
    'main',
    'variant',
    false,
    /New `variant` parameter/,
    described('main variant', [], since135),
    ['additive param.added variant']
  ],
  [
    '1.39',
    'undelete',
    'undeletetalk',
    false,
    /New `undeletetalk` parameter/,
    described('undelete undeletetalk', [], since135),
    ['additive param.added undeletetalk']
  ],
  [
    '1.40',
    'query+userinfo',
    'cancreateaccount',
    false,
    /New `cancreateaccount` parameter/,
    described('query+userinfo prop', [], since139),
    ['additive param.value-added uiprop[*] cancreateaccount']
  ],
  [
    '1.40',
    'query+users',
    'some errors of cancreate moved',
    true,
    /Some of the errors that have/,
    unseen.rare
  ],
  [
    '1.41',
    '*',
    'Authorization from other sites',
    false,
    /`Authorization` was added/,
    unseen.header
  ],
  [
    '1.42',
    'query+tags',
    'source says software',
    false,
    /"software" in the "source" array/,
    answered('action=query&list=tags&tgprop=source&tglimit=1&formatversion=2', since139),
    ['risky enum.value-added query.tags[*].source[*] software']
  ],
  [
    '1.43',
    'query+userinfo',
    'the day of registration may be null',
    true,
    /null in the field registrationdate/,
    {
      between: since139,
      asked: 'action=query&meta=userinfo&uiprop=registrationdate&formatversion=2',
      as: 'a user of before 2005'
    },
    ['breaking field.nullable query.userinfo.registrationdate']
  ],
  ['1.44', 'query+blocks', 'prop=parsedreason', false, undefined, unseen.newer],
  ['1.44', 'query+siteinfo', 'all groups are listed', false, undefined, unseen.newer],
  ['1.45', 'query+siteinfo', 'copyuploaddomains', false, undefined, unseen.newer],
  [
    '1.45',
    'parse',
    'parsoid deprecated for parser=parsoid',
    false,
    undefined,
    unseen.newer
  ]
]

export const apiChanges: readonly ApiChange[] = rows.map(
  ([release, module, what, breaks, notes, shown, told = []]) => ({
    release,
    module,
    what,
    breaks,
    notes,
    shown,
    told
  })
)

/** The recorded answers of one side of a change. */
export const recordedKey = (query: string, as?: Shown['as']): string =>
  as === undefined ? query : `${query} (${as})`
