/** What a client's author can do about a change, and which release made it. Source: MediaWiki's RELEASE-NOTES. */
import { textOf } from '../json/tree.ts'
import type { Change } from './change.ts'
import type { Kind } from './kinds.ts'

interface HintRule {
  readonly kinds: readonly Kind[]
  /** Tried on scope, place, note, mark and both values, one line each. */
  readonly about: RegExp
  /** Not where the old value says this already. */
  readonly unless?: RegExp
  readonly hint: string
}

const rules: readonly HintRule[] = [
  {
    kinds: ['continuation.format'],
    about: /query-continue → continue/,
    hint: 'since 1.26 "continue" is the default: merge every member of "continue" into the next request, or send rawcontinue=1',
  },
  {
    kinds: ['warning.removed', 'deprecation.appeared', 'warning.appeared'],
    about: /rawcontinue/,
    hint: 'since 1.21 a request may send continue= (new form) or rawcontinue=1 (old form); the warning ended with 1.26',
  },
  {
    kinds: ['encoding.flag', 'encoding.map-array', 'encoding.star'],
    about: /./,
    hint: 'send formatversion=2 (or 1) explicitly and read the answer in that form; 2 is stable since 1.33',
  },
  { kinds: ['encoding.empty'], about: /./, hint: 'PHP writes an empty array as []: accept both [] and {}' },
  {
    kinds: [
      'error.appeared',
      'module.removed',
      'module.deprecated',
      'param.value-removed',
      'deprecation.appeared',
    ],
    about: /^action=tokens\b|^tokens$|action=tokens/m,
    hint: 'action=tokens ended with 1.37: use action=query&meta=tokens&type=csrf',
  },
  {
    kinds: ['warning.appeared', 'param.removed', 'field.removed'],
    about: /\b(?:in|rc|rv|us)token\b|edittoken/,
    hint: 'token parameters of other modules ended with 1.37: use meta=tokens&type=csrf (or patrol, rollback, userrights)',
  },
  {
    kinds: ['auth.required', 'error.appeared', 'module.post-required', 'method.required'],
    about: /logout/,
    hint: 'since 1.33 logout must be POSTed with a csrf token (meta=tokens)',
  },
  {
    kinds: ['auth.required'],
    about: /token/,
    hint: 'get a token from action=query&meta=tokens and send it with the POST',
  },
  {
    kinds: ['method.required', 'module.post-required'],
    about: /./,
    hint: 'send the parameters in the body of a POST',
  },
  {
    kinds: ['deprecation.appeared'],
    about: /rvslots|slots/,
    hint: 'since 1.32 send rvslots=main and read the text under slots.main',
  },
  {
    kinds: ['deprecation.appeared', 'warning.removed'],
    about: /expandtemplates/,
    hint: 'send prop=wikitext; the result is then under "wikitext" instead of "*"',
  },
  {
    kinds: ['error.code-changed'],
    about: /missingparam|^no/m,
    hint: 'codes lost their module prefix in 1.29 and missing parameters became "missingparam" in 1.32: compare codes, not texts',
  },
  {
    kinds: ['error.code-changed'],
    about: /./,
    hint: 'codes lost their module prefix in 1.29; branch on both codes',
  },
  {
    kinds: ['error.envelope', 'warning.envelope'],
    about: /./,
    hint: 'send errorformat=bc for the old form, or errorformat=plaintext and read "errors" and "warnings" as arrays (since 1.29)',
  },
  {
    kinds: ['continuation.value-shape', 'continuation.param'],
    about: /./,
    hint: 'continue values are opaque: send back what the answer says, never build one',
  },
  {
    kinds: ['html.structure'],
    about: /mw-parser-output/,
    unless: /mw-parser-output/,
    hint: 'since 1.30 parsed text is wrapped in div.mw-parser-output: send wrapoutputclass= to be rid of it',
  },
  {
    kinds: ['html.structure'],
    about: /mw-heading/,
    unless: /mw-heading/,
    hint: 'from 1.43 on, depending on the skin, headings are wrapped in div.mw-heading and the id is on the h1…h6',
  },
  {
    kinds: ['html.structure'],
    about: /typeof="mw:File/,
    unless: /typeof="mw:File/,
    hint: 'media are figure[typeof^="mw:File"] where they were div.thumb or a.image',
  },
  {
    kinds: ['value.format'],
    about: /infinit|timestamp/,
    hint: 'since 1.34 expiries of users are ISO 8601 or "infinite"; accept "infinity" and "indefinite" too',
  },
  {
    kinds: ['enum.value-removed', 'enum.value-added'],
    about: /writeapi/,
    hint: 'the right writeapi ended with 1.43: everybody may use the API to write',
  },
  {
    kinds: ['field.nullable'],
    about: /registration/,
    hint: 'null where the wiki does not know the day (since 1.43 in userinfo)',
  },
  {
    kinds: ['warning.appeared'],
    about: /unrecognized parameter/i,
    hint: 'the wiki ignores this parameter: drop it, or send what replaced it',
  },
  {
    kinds: ['warning.appeared'],
    about: /unrecognized value/i,
    hint: 'the wiki ignores this value: drop it, or send what replaced it',
  },
  {
    kinds: ['content-type.changed'],
    about: /text\/html/,
    hint: 'send format=json explicitly; without it the answer is a page for people',
  },
  {
    kinds: ['param.default-changed'],
    about: /./,
    hint: 'send the old default explicitly to keep the old behaviour',
  },
  { kinds: ['param.required'], about: /./, hint: 'send the parameter; on older wikis it is harmless' },
]

/** The first rule that fits; undefined where there is nothing to advise. */
export function hintOf(change: Change, place: string): string | undefined {
  const candidates = rules.filter(({ kinds }) => kinds.includes(change.kind))
  if (candidates.length === 0) return undefined
  const texts = [change.scope, place, change.note, change.mark, textOf(change.before), textOf(change.after)]
  const text = texts.filter((one) => one !== undefined).join('\n')
  const before = textOf(change.before) ?? ''
  return candidates.find(({ about, unless }) => about.test(text) && unless?.test(before) !== true)?.hint
}
