import { describe, expect, test, vi } from 'vitest'
import { FolderSnapshot } from '../../../../src/recorder/engine/replay/folder-snapshot.ts'
import type { CassetteStore } from '../../../../src/recorder/store/cassette-store.ts'

const storeOf = (
  size: () => number
): { store: CassetteStore; read: ReturnType<typeof vi.fn> } => {
  const read = vi.fn(() => [].values())
  const store = Object.create(null, {
    size: { get: size },
    interactionsIn: { value: read }
  }) as CassetteStore
  return { store, read }
}

describe('a folder', () => {
  test('is read once while one request is answered, and again for the next', async () => {
    const { store, read } = storeOf(() => 1)
    const recordings = new FolderSnapshot(store)
    expect(recordings.interactionsIn('query.allpages')).toBe(
      recordings.interactionsIn('query.allpages')
    )
    expect(read).toHaveBeenCalledTimes(1)
    await Promise.resolve()
    recordings.interactionsIn('query.allpages')
    expect(read).toHaveBeenCalledTimes(2)
  })

  test('is read again for another folder, and after something was recorded', () => {
    let size = 1
    const { store, read } = storeOf(() => size)
    const recordings = new FolderSnapshot(store)
    recordings.interactionsIn('query.allpages')
    recordings.interactionsIn('query.info')
    size = 2
    recordings.interactionsIn('query.info')
    expect(read).toHaveBeenCalledTimes(3)
  })

  test.each([
    ['a folder', {}, 200_000],
    ['a replica', { refresh: (): undefined => undefined }, 10_000]
  ])('is searched up to a number of recordings: %s', (_, more, max) => {
    const snapshotOf = (count: number): FolderSnapshot =>
      new FolderSnapshot({
        ...more,
        size: count + 50,
        countIn: () => count
      } as unknown as CassetteStore)
    expect(snapshotOf(max).whyNotSearched('query.allpages')).toBeUndefined()
    expect(snapshotOf(max + 1).whyNotSearched('query.allpages')).toContain(
      `query.allpages has ${max + 1} recordings`
    )
  })
})
