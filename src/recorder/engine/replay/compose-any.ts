/** All compositions in turn: the first that fits a request answers it. */
import type { Interaction } from '../../cassette/interaction.ts'
import { composeEntities } from '../../playback/compose/compose-entities.ts'
import { composePages } from '../../playback/compose/compose-pages.ts'
import { composeParaminfo } from '../../playback/compose/compose-paraminfo.ts'
import {
  composeRedirected,
  composeRevisions
} from '../../playback/compose/compose-parts.ts'
import { composeTemplates } from '../../playback/compose/compose-templates.ts'
import { composeUnordered } from '../../playback/compose/compose-unordered.ts'
import type { Composition } from '../../playback/compose/composed-answer.ts'
import type { WriteHistory } from '../../playback/compose/page-validity.ts'
import type { DescriptionLookup } from '../../playback/compose/paraminfo-module.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { pagesInFormat1 } from './pages-in-format-1.ts'

interface Sources {
  /** Of the same modules. */
  readonly recordings: Iterable<Interaction>
  /** Those that may show the entities asked for. */
  readonly entities: Iterable<Interaction>
  readonly describe: DescriptionLookup
  readonly facts: WikiFacts
  readonly history: WriteHistory
}

export const composeAny = (
  derivation: Derivation,
  { recordings, entities, describe, facts, history }: Sources
): Composition | undefined =>
  composeParaminfo(derivation, recordings, describe) ??
  composeTemplates(derivation, recordings, facts.site, history) ??
  composeRedirected(derivation, recordings, facts, history) ??
  composeRevisions(derivation, recordings, facts) ??
  composeUnordered(derivation, recordings, facts.site, history) ??
  composeEntities(derivation, entities, facts, history) ??
  composePages(derivation, recordings, facts, history) ??
  composeFromFormat2(derivation, recordings, facts, history)

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
