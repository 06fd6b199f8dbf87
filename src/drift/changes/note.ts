/** What a change says beyond its values: a text, or what became what. */

/** One thing that became another: a type, a name, a code. Empty if there was, or is, none. */
export interface Transition {
  readonly from: string
  readonly to: string
}

export const turn = (from: string, to: string): Transition => ({ from, to })

export type Note = string | Transition

/** `10/10 → 0/12`, `title → DB key`, `→ query.title`. */
export const noteText = (note: Note): string =>
  typeof note === 'string' ? note : `${note.from} → ${note.to}`.trimStart()
