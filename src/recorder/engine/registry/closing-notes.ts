/** What the end of a run says of what it recorded. A note is undefined if there is nothing to say. */
import { askAgainAdvice } from '../../cassette/recorded-failure.ts'
import { commandName } from '../../store/command-name.ts'
import { plural } from '../../text/words.ts'
import type { Engine } from '../engine.ts'

const maxNamed = 5

/** @param redact replaces the secrets of the run in a line */
export function closingNotes(
  engines: readonly Engine[],
  redact: (line: string) => string
): readonly string[] {
  const summaries = engines.map(({ summary }) => summary)
  const errors = summaries.flatMap(({ passingErrors }) => [...passingErrors.values()])
  const modules = new Set(summaries.flatMap(({ thirdParties }) => [...thirdParties]))
  return [
    passingErrorsNote(errors.map(redact)),
    doubtfulNote(doubtfulPlaces(engines)),
    thirdPartiesNote([...modules].sort()),
    ...engines.map((engine) => lostNote(engine.store.dir, engine.countLost()))
  ].filter((one) => one !== undefined)
}

/** Places in what was recorded that look like a secret, as `check` names them. */
export const doubtfulPlaces = (engines: readonly Engine[]): readonly string[] =>
  engines.flatMap(({ summary }) =>
    [...summary.doubtful].flatMap(([file, places]) =>
      places.map((place) => `${file} ${place}`)
    )
  )

/** The first few of them, and how many more there are. */
function namedText(all: readonly string[]) {
  const named = all.slice(0, maxNamed).join('; ')
  return all.length > maxNamed ? `${named}, and ${all.length - maxNamed} more` : named
}

/** @param places in files, of texts that look like a secret */
function doubtfulNote(places: readonly string[]) {
  if (places.length === 0) return undefined

  const texts = places.length === 1 ? '1 text was' : `${places.length} texts were`
  return `${texts} recorded unchanged that may be secrets: ${namedText(places)}; look at them, and delete the file, or say in wikitape.config.json that they are harmless (${commandName} check prints what to say)`
}

/** @param modules whose recorded answers name other people */
function thirdPartiesNote(modules: readonly string[]) {
  if (modules.length === 0) return undefined

  return `recorded: private data of other people (addresses, e-mail, actions), by ${modules.join(', ')}; do not publish this cassette`
}

/** @param errors that look as if they would pass, without secrets */
function passingErrorsNote(errors: readonly string[]) {
  if (errors.length === 0) return undefined

  const looks =
    errors.length === 1 ? 'looks as if it would pass' : 'look as if they would pass'
  return `${plural(errors.length, 'recorded error')} ${looks}: ${namedText(errors)}; ${askAgainAdvice}`
}

/** @param lost number of recordings of this run that are gone */
function lostNote(dir: string, lost: number) {
  if (lost === 0) return undefined

  const are = lost === 1 ? 'is' : 'are'
  return `${plural(lost, 'recording')} of this run ${are} gone from ${dir}: files were deleted while it recorded; record ${lost === 1 ? 'it' : 'them'} again`
}
