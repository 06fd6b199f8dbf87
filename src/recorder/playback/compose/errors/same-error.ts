/** Whether a recorded error is that of another request: what differs is free (free-params.ts), or the order of sets. */
import type { Interaction } from '../../../cassette/interaction.ts'
import type { JsonTree } from '../../../json/json-tree.ts'
import { writeCompact } from '../../../json/write-json.ts'
import { hasPages, pageParams } from '../../../paging/reading/driver.ts'
import { areOwn } from '../../../paging/reading/module-doubts.ts'
import type { Derivation, SentRequest, WikiFacts } from '../../../request/derive.ts'
import type { CanonicalRequest } from '../../../request/request-key.ts'
import { mapAll } from '../../../text/group-by.ts'
import { hasQueryModuleOf } from '../../../wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../../../wiki/modules/module-descriptions.ts'
import { readContinue } from '../../../wiki/parameters/continue-param.ts'
import { splitValues } from '../../../wiki/parameters/request-params.ts'
import { freeParams } from './free-params.ts'

export type WantedRequest = SentRequest & Pick<Derivation, 'orderless'>

type RecordedRequest = Pick<Interaction, 'request' | 'sentValues'>

export function isSameError(
  body: JsonTree,
  recorded: RecordedRequest,
  wanted: WantedRequest,
  facts: WikiFacts
): boolean {
  const requests = [recorded.request, wanted.canonical] as const
  if (!requests.every((one) => mayBeAsRecorded(one, facts.lookup))) return false
  const free = freeParams(body, requests, facts)
  const quotable = free && valuesInOtherOrder(recorded, wanted, free)
  return quotable !== undefined && namesNone(body, quotable)
}

/** False for a write, where a `continue` may leave modules out, and where one is another than MediaWiki's. */
function mayBeAsRecorded(request: CanonicalRequest, lookup: ModuleLookup) {
  const action = request.get('action') ?? ''
  const { isCore, writes, mustBePosted } = lookup(action) ?? {}
  const isRead = isCore && !writes && !mustBePosted
  const areAllRun = action !== 'query' || leavesNoneOut(request)
  return isRead && areAllRun && areOwn(request, lookup)
}

/** True where `continue` says of no module that it has finished. */
function leavesNoneOut(request: CanonicalRequest) {
  const sent = readContinue(request)
  const ofPages = hasPages(request) || request.has('prop')
  return (
    sent !== undefined &&
    !hasQueryModuleOf(sent.finished, request) &&
    !(sent.isGeneratorDone && ofPages)
  )
}

/** All values of the sets in another order; undefined where more differs than that and what is free. */
function valuesInOtherOrder(
  { request, sentValues: recorded }: RecordedRequest,
  { canonical, sentValues, orderless }: WantedRequest,
  isFree: (name: string) => boolean
): readonly string[] | undefined {
  const sides = [request, recorded, canonical, sentValues]
  const names = new Set(sides.flatMap((params) => [...params.keys()]))
  return mapAll([...names], (name) => {
    const isSame = request.get(name) === canonical.get(name)
    const texts = [recorded.get(name), sentValues.get(name)]
    if ((isSame && texts[0] === texts[1]) || isFree(name)) return []
    const isSet = orderless.has(name) || pageParams.includes(name)
    const values = texts.flatMap((text) => splitValues(text ?? ''))
    // Of how many values it warns, a message tells, too.
    return isSame && isSet ? [name, ...values] : undefined
  })?.flat()
}

/** Others may be written in another way, as titles with signs are. */
const plainValue = /^[\p{L}\p{N} _:.!-]+$/u

/** True where the error names none of these words, but for what it always says of where help is. */
function namesNone(body: JsonTree, words: readonly string[]) {
  const text = writeCompact(body, 'utf8').replace(/"(?:\*|docref)":"[^"]*"/, '')
  const isNamed = (word: string) => {
    const written = word.replaceAll('.', '\\.').replaceAll(/[ _]/g, '[ _]')
    return new RegExp(`(?<![\\p{L}\\p{N}])${written}(?![\\p{L}\\p{N}])`, 'u').test(text)
  }
  return words.every((word) => plainValue.test(word) && !isNamed(word))
}
