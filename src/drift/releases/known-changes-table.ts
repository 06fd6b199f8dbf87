/**
 * Table of data: changes that MediaWiki's releases made on purpose, and advice on changes of no particular release.
 * Source: the sections "Action API changes" of HISTORY and RELEASE-NOTES, 1.25 to 1.45.
 */
import type { Kind } from '../changes/kinds.ts'

/** `kinds` are kinds of findings; `about` is tried on kind, scope, place, note, mark and both values, one line each. */
export type KnownChangeRow = readonly [
  since: string,
  what: string,
  kinds: RegExp,
  about: RegExp,
  advice: string,
]

const contractKinds = '(?:module|param)\\.'
const goneKinds = new RegExp(`^(?:warning\\.|field\\.(?:removed|became)|error\\.|${contractKinds})`)
const slotKinds = /^(?:deprecation\.appeared|param\.(?:added|deprecated))$/
const appearedKinds = /^(?:error|auth|method|warning|deprecation|module\.(?:post|depr|rem|prefix)|param)/

/** Changes of these modules, whose names are values elsewhere (`checktoken type=createaccount`), with `rest` in them. */
const ofModules = (names: string, rest = ''): RegExp =>
  new RegExp(`(?<![\\s\\S]).*\\n(?:action=)?(?:${names})\\n[\\s\\S]*${rest}`, 'm')

export const knownChangeRows: readonly KnownChangeRow[] = [
  [
    '1.26',
    '"continue" is the default form of continuation',
    /^(?:continuation\.format|warning\.removed|deprecation\.appeared|warning\.appeared)$/,
    /query-continue → continue|rawcontinue/,
    'merge every member of "continue" into the next request, or send rawcontinue=1 for the old form',
  ],
  [
    '1.26–1.27',
    'the formats dump and wddx, then dbg, txt and yaml were removed',
    goneKinds,
    /\b(?:dump|wddx|dbg|txt|yaml)(?:fm)?\b/,
    'ask for format=json',
  ],
  [
    '1.26',
    'the displayname of a tag may be false',
    /^type\.changed$/,
    /displayname[\s\S]*boolean/,
    'accept false: the tag is not shown',
  ],
  [
    '1.26',
    'revisions are enumerated by time',
    /^order\.changed$/,
    /revisions/,
    'sort by revid where that order is wanted',
  ],
  [
    '1.27',
    'createaccount works through AuthManager',
    appearedKinds,
    ofModules('createaccount'),
    'ask meta=authmanagerinfo&amirequestsfor=create which fields to send, with createtoken and createreturnurl',
  ],
  [
    '1.27',
    'upload lost statuskey, asyncdownload and leavemessage',
    goneKinds,
    /\b(?:statuskey|asyncdownload|leavemessage)\b/,
    'send filekey; uploads by URL answer when they are done',
  ],
  [
    '1.28',
    'the answer to login lost lgtoken, cookieprefix and sessionid',
    goneKinds,
    /\b(?:lgtoken|cookieprefix|sessionid)\b/,
    'keep the cookies; nothing else is needed',
  ],
  [
    '1.28',
    'parse lost modulemessages',
    goneKinds,
    /modulemessages/,
    'drop it: modules come with their messages',
  ],
  [
    '1.29',
    'tokens and passwords are refused in the query string',
    appearedKinds,
    /mustpostparams|param\.sensitive|must be (?:in|sent in) the (?:POST|request) body/i,
    'send them in the body of the POST',
  ],
  [
    '1.29',
    'purge and clearhasmsg need POST',
    /^(?:method|module)\./,
    ofModules('purge|clearhasmsg'),
    'send the parameters in the body of a POST',
  ],
  [
    '1.32',
    'a parameter that is missing is named with its prefix',
    /^error\.code-changed$/,
    /missingparam|^no/m,
    'compare codes, not texts, and know both: codes lost their prefix in 1.29, missing parameters got one code in 1.32',
  ],
  ['1.29', 'error codes lost their prefix', /^error\.code-changed$/, /./, 'branch on both codes'],
  [
    '1.29',
    'errors and warnings come in other forms (errorformat)',
    /^(?:error|warning)\.envelope$/,
    /./,
    'send errorformat=bc for the old form, or errorformat=plaintext and read "errors" and "warnings" as arrays',
  ],
  [
    '1.29',
    'errors of a moved talk page are an array',
    /^(?:field|type)\./,
    /talkmove-errors|talkmove-error-/,
    'read talkmove-errors, an array of errors',
  ],
  [
    '1.29',
    'watch and rollback lost their messages for people',
    goneKinds,
    ofModules('watch|rollback', '[mM]essage'),
    'say it in your own words',
  ],
  [
    '1.30',
    'parsed text is wrapped in div.mw-parser-output',
    /^html\.structure$/,
    /^markup: wrapper$/m,
    'send wrapoutputclass= to be rid of it',
  ],
  [
    '1.31',
    'tgprop=name was removed',
    goneKinds,
    /tgprop[\s\S]*\bname\b/,
    'drop it: the name is always there',
  ],
  [
    '1.31',
    'move lost watch and unwatch',
    goneKinds,
    ofModules('move', '\\b(?:un)?watch\\b'),
    'send watchlist=watch or unwatch',
  ],
  [
    '1.32',
    'more values than the limit are an error',
    /^error\.appeared$/,
    /too-?many-?(?:values|titles|pageids|revids)?/i,
    'send at most 50 values at once, 500 as a bot',
  ],
  [
    '1.32',
    'revisions are asked for by slot',
    slotKinds,
    /\b(?:rv|drv|arv|adr)(?:slots|contentformat)\b/,
    'send rvslots=main and read the text under slots.main',
  ],
  [
    '1.32',
    'compare takes its texts by slot',
    slotKinds,
    ofModules('compare', '\\b(?:slots|(?:from|to)(?:slots|text|section|content(?:format|model)))\\b'),
    'send fromslots=main with fromtext-main and fromcontentmodel-main, and the same with to',
  ],
  [
    '1.33',
    'logout needs a POST with a csrf token',
    appearedKinds,
    ofModules('logout'),
    'POST it with token= from meta=tokens&type=csrf',
  ],
  [
    '1.34',
    'allusers lost recenteditcount',
    goneKinds,
    /recenteditcount/,
    'count usercontribs where it is needed',
  ],
  [
    '1.34',
    'what is not known of a missing file is left out',
    /^field\./,
    /imageinfo[\s\S]*filemissing|filemissing/,
    'look for filemissing before anything else is read',
  ],
  [
    '1.34',
    'expiries of users are ISO 8601 or "infinite"',
    /^value\.format$|^enum\.value-changed$|^value\.changed$/,
    /infinit|blockexpiry/,
    'parse ISO 8601; accept "infinity", "infinite" and "indefinite"',
  ],
  ['1.35', 'numbers must be whole numbers', /^error\./, /badinteger/, 'send digits only'],
  [
    '1.35',
    'login without its session says Failed',
    /^enum\.value-changed$/,
    /NeedToken[\s\S]*Failed/,
    'keep the cookies between the token and the login; take Failed for "start again"',
  ],
  [
    '1.36',
    'bots no longer watch what they edit',
    /^field\.removed$/,
    /^query\.pages\[\*\]\.watched$/m,
    'where a bot edited the page, send watchlist=watch with its edits',
  ],
  [
    '1.37',
    'the old token parameters and action=tokens were removed',
    goneKinds,
    /^(?:action=)?tokens\n|\b(?:in|rc|rv|us|preferences)token\b|^query\.pages\[\*\]\.starttimestamp$|\b(?:edit|delete|protect|move|block|unblock|email|import|watch|patrol|rollback|userrights|options|preferences)token\b/m,
    'get tokens from action=query&meta=tokens&type=csrf (or patrol, rollback, userrights, watch)',
  ],
  [
    '1.42',
    'tags say "software" where they said "extension"',
    /^enum\./,
    /\bsource\b[\s\S]*software|^"?software"?$/m,
    'accept both words',
  ],
  [
    '1.43',
    'the right writeapi was removed',
    /^enum\.value-|^param\.value-/,
    /\bwriteapi\b/,
    'do not ask for it: everybody may use the API to write',
  ],
  [
    '1.43',
    'the day of registration may be null',
    /^field\.nullable$/,
    /registration/,
    'accept null: the wiki does not know the day',
  ],
  [
    '1.40–1.43',
    'lists of links are ordered and continued by number',
    /^(?:continuation\.|order\.changed$)/,
    /\b(?:alllinks|alltransclusions|allredirects|allfileusages|exturlusage|extlinks)\b/,
    'send back the continue values that the answer has, never build one; sort by title where order counts',
  ],
  [
    '1.36–1.39',
    "a page's title is wrapped in span.mw-page-title-main",
    /^html\.structure$/,
    /^markup: title$/m,
    'take the text of displaytitle, not its tags',
  ],
  [
    '1.40–1.43',
    'parsed text says its language and direction',
    /^html\.structure$/,
    /^markup: language$/m,
    'look for the class mw-parser-output among others',
  ],
  [
    '1.43',
    'headings are wrapped in div.mw-heading',
    /^html\.structure$/,
    /^markup: headings$/m,
    'look for the id on h1 to h6 (depending on the skin)',
  ],
  [
    '1.40',
    'media are figure[typeof^="mw:File"]',
    /^html\.structure$/,
    /^markup: media$/m,
    'look for them beside div.thumb and a.image',
  ],
  [
    '1.36–1.39',
    'the table of a comparison says which side a cell is of',
    /^html\.structure$/,
    /^markup: sides$/m,
    'look for the class among others',
  ],
  [
    '1.45',
    'parse chooses its parser by parser=',
    /^(?:deprecation|param|warning)\./,
    /\bparsoid\b/,
    'send parser=parsoid',
  ],
]

/** What to do about a change that no release explains. */
export const adviceRows: readonly (readonly [kinds: readonly Kind[], about: RegExp, advice: string])[] = [
  [
    ['encoding.flag', 'encoding.map-array', 'encoding.star'],
    /./,
    'send formatversion=2 (or 1) explicitly and read the answer in that form; 2 is stable since 1.33',
  ],
  [['encoding.empty'], /./, 'PHP writes an empty array as []: accept both [] and {}'],
  [['auth.required'], /token/, 'get a token from action=query&meta=tokens and send it with the POST'],
  [['method.required', 'module.post-required'], /./, 'send the parameters in the body of a POST'],
  [
    ['deprecation.appeared', 'warning.removed'],
    /expandtemplates/,
    'send prop=wikitext; the result is then under "wikitext" instead of "*"',
  ],
  [
    ['continuation.value-shape', 'continuation.param'],
    /./,
    'continue values are opaque: send back what the answer says, never build one',
  ],
  [
    ['warning.appeared'],
    /unrecognized parameter/i,
    'the wiki ignores this parameter: drop it, or send what replaced it',
  ],
  [
    ['warning.appeared'],
    /unrecognized value/i,
    'the wiki ignores this value: drop it, or send what replaced it',
  ],
  [
    ['content-type.changed'],
    /text\/html/,
    'send format=json explicitly; without it the answer is a page for people',
  ],
  [['param.required'], /./, 'send the parameter; on older wikis it is harmless'],
]
