/** Parameters that nobody reads, in requests and in recordings. */
import { expect, test } from 'vitest'
import {
  unreadRecording,
  withoutUnread
} from '../../../../src/recorder/engine/replay/unread-params.ts'
import { derive } from '../../../../src/recorder/request/derive.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { tapeOf } from '../../paging/tape.ts'

const { facts, record } = tapeOf()

const derived = (query: string) =>
  derive(apiRequest(`action=query&format=json&${query}`), facts)

const members = 'list=categorymembers&cmtitle=Category:A'
const file = 'prop=imageinfo&titles=File:A.png'

test.each([
  [members, '&cmstart=2024-01-01T00:00:00Z&cmend=20240101000000', true],
  [members, '&cmstart=yesterday', false],
  [members, '&cmstart=2024-01-01T00:00:00Z&continue=cmstart||', false],
  [`${members}&cmsort=timestamp`, '&cmstart=2024-01-01T00:00:00Z', false],
  [`${members}&prop=nobodyknows`, '&cmstart=2024-01-01T00:00:00Z', false],
  ['generator=categorymembers&gcmtitle=Category:A', '&gcmend=2024-01-01T00:00:00Z', true],
  [
    file,
    '&iiextmetadatalanguage=fr&iiextmetadatamultilang=1&iiextmetadatafilter=A',
    true
  ],
  [file, '&iiextmetadatafilter=A|B', false],
  [`${file}&iiprop=*`, '&iiextmetadatalanguage=fr', false],
  ['prop=info&titles=A', '&intestactionsdetail=full', true],
  ['prop=info&titles=A', '&intestactionsdetail=bogus', false],
  ['prop=info&titles=A', '&converttitles=', true],
  ['prop=info&titles=A', '&converttitles=&continue=converttitles||', false],
  [members, '&redirects=1&indexpageids=&iwurl=&converttitles=1', true],
  [members, '&redirects=1&continue=redirects||', false],
  ['prop=info&titles=A', '&redirects=1', false],
  ['prop=info&titles=A', '&indexpageids=', false],
  ['generator=allcategories', '&indexpageids=', false],
  ['prop=info&titles=A&intestactions=edit', '&intestactionsdetail=full', false]
])('%s does not read %s: %s', (query, more, isUnread) => {
  const plain = derived(query)
  const { key, canonical } = withoutUnread(derived(query + more), facts)
  expect(key === plain.key).toBe(isUnread)
  const body = { batchcomplete: '', query: { pages: {} } }
  const recorded = unreadRecording(record(query + more, body), facts)
  expect([...recorded.request]).toEqual([...canonical])
})

test('what the wiki said of a value is kept', () => {
  const query = `${members}&cmstart=2024-01-01T00:00:00Z`
  for (const said of ['warnings', 'error', 'errors']) {
    const recorded = record(query, { [said]: {} })
    expect(unreadRecording(recorded, facts)).toBe(recorded)
  }
})
