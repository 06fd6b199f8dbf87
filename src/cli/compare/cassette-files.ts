/** The files of the compared cassettes, for reports that point into them. */
import type { CassetteFiles } from '../../report/formats/sarif-report.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { textInside } from '../../store/files/paths-inside.ts'
import { getOrAdd } from '../../text/group-by.ts'

/** Opens each cassette once. What cannot be read counts as absent: the comparison has reported it. */
export function cassetteFiles(): CassetteFiles {
  const paths = new Map<string, ReadonlyMap<RequestKey, string>>()
  return {
    pathOf: (cassette, key) =>
      getOrAdd(paths, cassette, () => new Map(CassetteStore.open(cassette).paths())).get(key),
    textOf(cassette, file) {
      try {
        return textInside(cassette, file)
      } catch {
        return undefined
      }
    },
  }
}
