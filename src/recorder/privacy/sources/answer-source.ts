/**
 * Where the text of an answer comes from, which decides what may be a secret in it (SECURITY.md). It follows from what was
 * asked alone, so the recorder and `check` say the same.
 */
import type { CanonicalRequest } from '../../request/request-key.ts'
import { wordSet } from '../../text/words.ts'
import { parseUrlencoded } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { specialPageAt } from '../../wiki/site/special-pages.ts'

/**
 * `credential`: it identifies the caller; everything random in it is a secret. `own`: the wiki's own fields and forms; their
 * names count. `content`: what people wrote; only known secrets count, and nothing is learned. `foreign`: made by neither the
 * wiki nor its people; shapes count, and nothing is learned.
 */
export type TextSource = 'credential' | 'own' | 'content' | 'foreign'

export interface AnswerSource {
  /** Of all that has no nearer place: members of API answers and tags of pages have their own. */
  readonly source: TextSource
  /** `api.php`, in whatever format. */
  readonly isApi: boolean
  /** `page`: HTML of the wiki, with its own menus and forms around it. `script`: of `load.php`. `raw`: nothing around it. */
  readonly form: 'page' | 'script' | 'raw'
  /** The special page that was asked for; empty for anything else. */
  readonly page: string
}

/** Source: ApiLogin, ApiClientLogin and others that answer an AuthenticationResponse; Extension:CentralAuth, ContentTranslation. */
const credentialActions = wordSet(
  'login clientlogin createaccount linkaccount unlinkaccount changeauthenticationdata centralauthtoken cxtoken'
)

/** Pages that show what identifies the caller, and nothing that people wrote. */
const credentialPages = wordSet(
  'BotPasswords ChangeCredentials ChangeEmail ChangePassword Confirmemail CreateAccount Invalidateemail LinkAccounts ' +
    'MWOAuthConsumerRegistration OATHManage OAuth PasswordReset PluggableAuthLogin Preferences RemoveCredentials ' +
    'ResetTokens UserLoginReturn Userlogin'
)

/** @param page English name, as `specialPageOf` gives it. @param path of the address: OAuth 2 has paths of its own */
export const isCredentialPage = (page: string | undefined, path: string): boolean =>
  credentialPages.has(page ?? '') || /\/rest\.php\/oauth2\//.test(path)

/** Feeds and exports consist of what people wrote. Source: ApiFeed… modules; ApiQuery::doExport */
const isContentAction = (request: CanonicalRequest) =>
  /^feed/.test(request.get('action') ?? '') || request.has('exportnowrap')

/** @param mediaType of the answer. @param site the wiki's own names of special pages */
export function sourceOfAnswer(
  request: CanonicalRequest,
  mediaType: string,
  site?: SiteFacts
): AnswerSource {
  const target = request.get('plain target')
  if (target !== undefined) return sourceOfPage(target, mediaType, site)
  if (isContentAction(request))
    return { source: 'content', isApi: false, form: 'raw', page: '' }
  const isCredential = credentialActions.has(request.get('action') ?? '')
  return {
    source: isCredential ? 'credential' : 'own',
    isApi: true,
    form: 'page',
    page: ''
  }
}

/** Entry points of MediaWiki, files, and articles: all but these are other programs on the same host. */
const wikiPath =
  /\/(?:index|load|opensearch_desc|thumb|img_auth)\.php(?:[/?]|$)|\/(?:wiki|images|static|resources|skins|extensions)\//

function sourceOfPage(
  target: string,
  mediaType: string,
  site: SiteFacts | undefined
): AnswerSource {
  const [path = '', query = ''] = target.split('?', 2)
  const params = parseUrlencoded(query)
  const page = specialPageAt(path, params, site) ?? ''
  const isRaw = params.get('action') === 'raw' || params.has('feed')
  if (!isRaw && isCredentialPage(page, path))
    return { source: 'credential', isApi: false, form: 'page', page }
  // The REST API's members have names, as those of the Action API have.
  if (/\/rest\.php\//.test(path) && mediaType.endsWith('json'))
    return { source: 'own', isApi: true, form: 'raw', page }
  const isWikis =
    mediaType === 'text/html' || wikiPath.test(path) || /\/rest\.php\//.test(path)
  const form = isRaw || mediaType !== 'text/html' ? 'raw' : 'page'
  return {
    source: isWikis ? 'content' : 'foreign',
    isApi: false,
    form: /\/load\.php$/.test(path) ? 'script' : form,
    page
  }
}

/**
 * Below these is what people wrote, in whatever form; some have members that people name too (`jsondata`, `cargoquery`,
 * `pageprops`). Sources: ApiParse, ApiExpandTemplates, ApiComparePages, ApiQueryRevisionsBase, ApiQueryPageProps,
 * ApiQuerySearch, ApiQueryAllMessages, ApiQueryImageInfo (metadata of files), ApiQueryLogEvents (`params`); extensions
 * JsonConfig, Cargo, SemanticMediaWiki (`results`), TemplateData (`pages`), TextExtracts, Kartographer, Wikibase, Echo, Flow,
 * VisualEditor, DiscussionTools.
 */
const contentMembers = wordSet(
  'parse expandtemplates compare revisions deletedrevisions alldeletedrevisions deletedrevs pageprops search allmessages ' +
    'metadata commonmetadata extmetadata params jsondata cargoquery results templatedata paramOrder mapdata entities ' +
    'terms entityterms notifications flow visualeditor visualeditoredit discussiontoolspageinfo extlinks exturlusage ' +
    'categories links templates langlinks iwlinks abusefilters spamblacklist titleblacklist'
)
/** Values of these are text of people wherever they stand. */
const contentNames = wordSet(
  '* content text html wikitext comment parsedcomment summary snippet titlesnippet sectionsnippet categorysnippet extract ' +
    'title displaytitle description source body from to sortkey sortkeyprefix anchor line label url query gfrom'
)
/** Messages of the wiki to its caller, and pages of its own in an answer. */
const ownMembers = wordSet(
  'error errors warnings userinfo globaluserinfo authmanagerinfo tokens headhtml headitems'
)

/** @param path names of members, from the top */
export function sourceOfMember(
  path: readonly string[],
  answer: AnswerSource
): TextSource {
  if (answer.source === 'content' || answer.source === 'foreign') return answer.source
  let isContent = contentNames.has(path.at(-1) ?? '')
  for (const step of path) {
    if (ownMembers.has(step)) return answer.source
    isContent ||= contentMembers.has(step)
  }
  return isContent ? 'content' : answer.source
}

/** True for what the wiki says of its caller. @param path names of members, from the top */
export const isOfCaller = (path: readonly string[]): boolean =>
  path.some((step) => step === 'userinfo' || step === 'globaluserinfo')
