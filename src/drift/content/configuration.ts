/** Whether a change is the wiki's configuration, reported as one cause, with its own kinds. */
import { wordSet } from '../../recorder/text/words.ts'
import {
  type Change,
  fieldOf,
  type Path,
  selfAndParents,
  templateOf
} from '../changes/change.ts'
import { familyOf, hasTrait, type Kind, ratingOf } from '../changes/kinds.ts'
import { type ContentFacts, isAboutEditedPage } from './decide-content.ts'
import { isEnvironment } from './field-names.ts'
import { isFlag } from './same-state.ts'

/** The change, as one of the wiki's configuration if it is one. */
export function asConfiguration(change: Change, facts: ContentFacts): Change {
  const { kind, path, axis } = change
  const [top, section = ''] = topNames(path)
  const isSetting = top === 'query' && isConfigured(section, change, facts)
  if (!isSetting && !(isParserOutput(top, change) && isOtherParser(change, facts)))
    return change
  if (axis === 'contract' || facts.known(change, templateOf(path))) return change
  const renamed = kindOf(kind, section === 'extensions' && path.parent?.kind === 'member')
  return { ...change, kind: renamed, ...ratingOf(renamed) }
}

function kindOf(kind: Kind, isExtension: boolean) {
  switch (kind) {
    case 'items.fewer':
    case 'enum.value-removed':
    case 'field.removed':
      return isExtension ? 'extension.removed' : 'configuration.removed'
    case 'items.more':
    case 'enum.value-added':
    case 'field.added':
      return isExtension ? 'extension.added' : 'configuration.added'
    default:
      return 'configuration.changed'
  }
}

const topNames = (path: Path) =>
  selfAndParents(path)
    .flatMap(({ kind, step }) => (kind === 'member' ? [step] : []))
    .toReversed()
    .slice(0, 2)

/** What every wiki configures for itself, whatever its release. */
const settingLists = wordSet(`
  namespaces namespacealiases specialpagealiases magicwords interwikimap usergroups extensions skins
  extensiontags functionhooks variables
`)
/** Further lists, if both sides run one release: else the release may have brought it. */
const releaseLists = wordSet(`
  general libraries fileextensions rightsinfo restrictions languagevariants protocols defaultoptions
  uploaddialog autocreatetempuser
`)

function isConfigured(
  section: string,
  { kind, path, before, after }: Change,
  facts: ContentFacts
) {
  // How many users are in a group is no setting of it.
  if (templateOf(path) === 'query.usergroups[*].number') return false
  if (section === 'general') {
    if (/^(?:lang|fallback)/.test(fieldOf(path))) return kind === 'value.changed'
    if (isEnvironment(path)) return false
  }
  const family = familyOf(kind)
  if (templateOf(path).startsWith('query.userinfo.ratelimits['))
    return family === 'value' || family === 'items'
  const isListed = settingLists.has(section)
  if (!facts.sameRelease)
    // Names in another language of the wiki; what else differs within an item may come with the release.
    return (
      isListed &&
      (isItem(kind, path) || (section === 'namespaces' && kind === 'value.changed'))
    )
  if (!isListed && !releaseLists.has(section)) return false
  if (family === 'field') return isFlag(before ?? after)
  return hasTrait(kind, 'setting')
}

/** A whole item of a list of settings is gone or new. */
const isItem = (kind: Kind, path: Path) =>
  familyOf(kind) === 'items' &&
  path.kind === 'item' &&
  path.parent?.parent?.parent?.kind === 'root'

const isParserOutput = (top: string | undefined, { kind, path }: Change) =>
  hasTrait(kind, 'parser') &&
  (top === 'parse' || top === 'expandtemplates' || fieldOf(path) === 'extract') &&
  !/^(?:revid|pageid|title|displaytitle)$/.test(fieldOf(path))

/** Where nobody edited anything, other markup of the same revision is the parser's; other text may be the clock's. */
function isOtherParser(change: Change, facts: ContentFacts) {
  if (!facts.sameRelease || isAboutEditedPage(change, facts)) return false
  const isMarkup =
    change.kind === 'html.structure' ||
    templateOf(change.path).startsWith('parse.sections[')
  return facts.isConfiguredOtherwise() || (isMarkup && facts.editEvidence() !== 'edited')
}
