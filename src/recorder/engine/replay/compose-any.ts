/** All compositions in turn: the first that fits a request answers it. */
import type { Interaction } from '../../cassette/interaction.ts'
import { answerInOtherVersion } from '../../paging/joining/other-version.ts'
import { requestDoubt } from '../../paging/reading/module-doubts.ts'
import { composeParaminfo } from '../../playback/compose/compose-paraminfo.ts'
import {
  composeRedirected,
  composeRevisions
} from '../../playback/compose/compose-parts.ts'
import { composeTemplates } from '../../playback/compose/compose-templates.ts'
import { composeUnordered } from '../../playback/compose/compose-unordered.ts'
import { composeValues } from '../../playback/compose/compose-values.ts'
import { type Composition, composedFrom } from '../../playback/compose/composed-answer.ts'
import { composeEntities } from '../../playback/compose/entities/compose-entities.ts'
import {
  composeAtLimits,
  composeError
} from '../../playback/compose/errors/compose-errors.ts'
import { composeRefusal } from '../../playback/compose/errors/refused-value.ts'
import type { WriteHistory } from '../../playback/compose/page-validity.ts'
import { composePages } from '../../playback/compose/pages/compose-pages.ts'
import { composeProps } from '../../playback/compose/pages/compose-props.ts'
import { pagesOtherwise } from '../../playback/compose/pages/pages-otherwise.ts'
import type { DescriptionLookup } from '../../playback/compose/paraminfo-module.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { inTurn } from '../../text/group-by.ts'

interface Sources {
  /** Of the same modules. */
  readonly recordings: Iterable<Interaction>
  /** Those that may show the entities asked for. */
  readonly entities: readonly Iterable<Interaction>[]
  /** Those of other props beside one that is asked for. */
  readonly otherProps: Iterable<Interaction>
  /** Those of any props. */
  readonly anyProps: Iterable<Interaction>
  /** Errors of any modules. */
  readonly errors: Iterable<Interaction>
  readonly describe: DescriptionLookup
  readonly facts: WikiFacts
  readonly history: WriteHistory
}

export const composeAny = (
  derivation: Derivation,
  {
    recordings,
    entities,
    otherProps,
    anyProps,
    errors,
    describe,
    facts,
    history
  }: Sources
): Composition | undefined => {
  const error = () =>
    composeError(derivation, recordings, facts) ??
    composeRefusal(derivation, recordings, errors, facts)
  // Rows that are left out after the limit do not matter to what is refused.
  if (requestDoubt(derivation.canonical, facts) !== undefined) return error()
  const pages = (request: Derivation, all: Iterable<Interaction>) => {
    const compose = (some: Iterable<Interaction>) =>
      composePages(request, some, facts, history, anyProps)
    const found = compose(all)
    const more = found ? [] : pagesOtherwise(request, all)
    return more.length > 0 ? compose([...all, ...more]) : found
  }
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
  const same = error() ?? composeAtLimits(derivation, recordings, facts)
  if (same) return same
  return composeProps(derivation, otherProps, facts.lookup, pages) ?? found
}

function composeOtherVersion(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>
) {
  const found = answerInOtherVersion(canonical, sentValues, recordings)
  return found && composedFrom(found.body, [found])
}
