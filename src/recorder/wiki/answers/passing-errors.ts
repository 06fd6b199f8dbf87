/** Errors that pass by themselves: the same request may succeed soon, and clients send it again. */
interface PassingError {
  /** Of the API's error. */
  readonly code: RegExp
  /** If the code has other causes too, what the error's text says. */
  readonly words?: RegExp
  readonly source: string
}

/** The one list. Pywikibot, mwn and mwclient send a request again after these; MediaWiki's own pages name the others. */
const passingErrors: readonly PassingError[] = [
  {
    code: /^maxlag$/,
    source:
      'https://www.mediawiki.org/wiki/Manual:Maxlag_parameter; Pywikibot api/_requests.py (submit); mwn core.ts (handleErrors); mwclient client.py (handle_api_result)'
  },
  {
    code: /^readonly$/,
    source:
      'Pywikibot api/_requests.py (_internal_api_error); mwn core.ts (handleErrors); mwclient client.py (handle_api_result)'
  },
  {
    code: /^internal_api_error_/,
    source:
      'Pywikibot api/_requests.py (_internal_api_error: DBConnectionError, DBQueryError, DBQueryTimeoutError); the others are faults of the wiki'
  },
  {
    code: /^(?:ratelimited|toofastagain)$/,
    source:
      'https://www.mediawiki.org/wiki/API:Errors_and_warnings; Pywikibot api/_requests.py (submit)'
  },
  {
    code: /^concurrency-limit$/,
    source: 'includes/api/i18n/en.json of MediaWiki 1.43 (apierror-concurrency-limit)'
  },
  {
    code: /^cirrussearch-(?:(?:.+-)?too-busy|backend)-error$/,
    source: 'Pywikibot api/_requests.py (submit, T170647); i18n/en.json of CirrusSearch'
  },
  {
    code: /^mwoauth-invalid-authorization/,
    words: /Nonce already used/,
    source:
      'T106066; Pywikibot api/_requests.py (submit); mwn core.ts (handleErrors); mwclient client.py'
  },
  {
    code: /^failed-save$/,
    words: /actionthrottledtext/,
    source: 'Pywikibot api/_requests.py (_is_wikibase_error_retryable, T192912)'
  }
]

/** @param text the answer as sent */
export const isPassingError = (code: string, text: string): boolean =>
  passingErrors.some((one) => one.code.test(code) && one.words?.test(text) !== false)

/** Overload and maintenance, told by the HTTP status alone. */
export const isPassingStatus = (status: number): boolean =>
  status >= 500 || status === 429

/** What errors of extensions say of themselves if they pass. */
const passingWords =
  /\b(?:too[ -]busy|overload|temporar|try again|retry|timed?[ -]?out|unavailable|in a (?:few|moment|while))/i

/** True also of errors that nobody has listed, by what they say. */
export const looksPassing = (code: string, text: string): boolean =>
  isPassingError(code, text) || passingWords.test(`${code} ${text}`)
