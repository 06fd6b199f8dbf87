/** All compositions in turn: the first that fits a request answers it. */
import type { Interaction } from '../../cassette/interaction.ts'
import { answerInOtherVersion } from '../../paging/joining/other-version.ts'
import { composeError } from '../../playback/compose/compose-errors.ts'
import { composePages } from '../../playback/compose/compose-pages.ts'
import { composeParaminfo } from '../../playback/compose/compose-paraminfo.ts'
import {
  composeRedirected,
  composeRevisions
} from '../../playback/compose/compose-parts.ts'
import { composeProps } from '../../playback/compose/compose-props.ts'
import { composeTemplates } from '../../playback/compose/compose-templates.ts'
import { composeUnordered } from '../../playback/compose/compose-unordered.ts'
import { composeValues } from '../../playback/compose/compose-values.ts'
import { type Composition, composedFrom } from '../../playback/compose/composed-answer.ts'
import { composeEntities } from '../../playback/compose/entities/compose-entities.ts'
import type { WriteHistory } from '../../playback/compose/page-validity.ts'
import type { DescriptionLookup } from '../../playback/compose/paraminfo-module.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { pagesInFormat1 } from './pages-in-format-1.ts'

interface Sources {
  /** Of the same modules. */
  readonly recordings: Iterable<Interaction>
  /** Those that may show the entities asked for. */
  readonly entities: readonly Iterable<Interaction>[]
  /** Those of other props beside one that is asked for. */
  readonly otherProps: Iterable<Interaction>
  readonly describe: DescriptionLookup
  readonly facts: WikiFacts
  readonly history: WriteHistory
}

export const composeAny = (
  derivation: Derivation,
  { recordings, entities, otherProps, describe, facts, history }: Sources
): Composition | undefined => {
  const pages = (request: Derivation, all: Iterable<Interaction>) =>
    composePages(request, all, facts, history) ??
    composeFromFormat2(request, all, facts, history)
  const found =
    composeParaminfo(derivation, recordings, describe) ??
    composeTemplates(derivation, recordings, facts.site, history) ??
    composeRedirected(derivation, recordings, facts, history) ??
    composeRevisions(derivation, recordings, facts) ??
    composeUnordered(derivation, recordings, facts.site, history) ??
    composeOtherVersion(derivation, recordings) ??
    composeValues(derivation, recordings) ??
    composeEntities(derivation, inTurn(entities), facts, history) ??
    pages(derivation, recordings)
  if (found?.kind === 'composed') return found
  const error = composeError(derivation, recordings, facts.lookup)
  if (error) return error
  return composeProps(derivation, otherProps, facts.lookup, pages) ?? found
}

/** Each is read when those before it are used up. */
const inTurn = (all: readonly Iterable<Interaction>[]): Iterable<Interaction> => ({
  *[Symbol.iterator]() {
    for (const one of all) yield* one
  }
})

function composeOtherVersion(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>
) {
  const found = answerInOtherVersion(canonical, sentValues, recordings)
  return found && composedFrom(found.body, [found])
}

function composeFromFormat2(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory
) {
  const more = pagesInFormat1(derivation, recordings)
  return more.length === 0
    ? undefined
    : composePages(derivation, [...recordings, ...more], facts, history)
}
