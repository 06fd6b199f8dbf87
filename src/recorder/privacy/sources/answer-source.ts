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
