/** What ready replies were made of, looked at again now and then: who edits a recording is served the edited one. */
import type { RequestKey } from '../request/key.ts'
import type { Footing } from '../store/footing.ts'
import { lookEvery } from '../store/lookout.ts'
import type { Changing } from '../store/store.ts'

interface Ground {
  readonly footing: Footing
  /** When it is looked at next, by the clock of `performance.now`. */
  next: number
}

export class Grounds {
  readonly #store: Pick<Changing, 'stands'>
  readonly #of = new Map<RequestKey, Ground>()

  constructor(store: Pick<Changing, 'stands'>) {
    this.#store = store
  }

  /**
   * @param key of the reply. @param footing of all recordings that were looked into for it
   * @returns false where other replies of this key were made of something else
   */
  note(key: RequestKey, footing: Footing): boolean {
    const known = this.#of.get(key)
    if (known !== undefined && !isWithin(footing, known.footing)) return false
    if (known === undefined) this.#of.set(key, { footing, next: performance.now() + lookEvery })
    return true
  }

  /** False where a reply of this key may be wrong by now. @param now by the clock of `performance.now` */
  stand(key: RequestKey | undefined, now: number): boolean {
    const ground = key && this.#of.get(key)
    if (ground === undefined) return false
    if (now < ground.next) return true
    ground.next = now + lookEvery
    return this.#store.stands(ground.footing)
  }

  clear(): void {
    this.#of.clear()
  }
}

/** True where all files of a footing are in the other, with the same marks. */
const isWithin = (footing: Footing, other: Footing): boolean =>
  footing.every(([file, marks]) =>
    other.some(([name, known]) => name === file && marks.every((mark, at) => mark === known[at])),
  )
