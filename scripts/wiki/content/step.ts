/** One step of the content: applied by php/apply.php, each at its own time. */

export type Step =
  | {
      readonly kind: 'account'
      readonly at: string
      readonly name: string
      readonly groups: readonly string[]
      readonly password?: string
    }
  | {
      readonly kind: 'interwiki'
      readonly at: string
      readonly rows: readonly InterwikiRow[]
    }
  | {
      readonly kind: 'call'
      readonly at: string
      readonly as: string
      readonly params: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'upload'
      readonly at: string
      readonly as: string
      readonly name: string
      readonly file: string
      readonly comment: string
      readonly text: string
    }
  | { readonly kind: 'settle'; readonly at: string }
  | {
      readonly kind: 'rename'
      readonly at: string
      readonly as: string
      readonly from: string
      readonly to: string
    }
  | {
      readonly kind: 'hide'
      readonly at: string
      readonly as: string
      readonly title: string
      /** Revisions that are newer than the one that is hidden. */
      readonly skipped: number
      readonly hide: string
    }
  | { readonly kind: 'active'; readonly at: string; readonly names: readonly string[] }

export interface InterwikiRow {
  readonly prefix: string
  readonly url: string
  readonly local: boolean
}

/** Steps that must stay in their order, such as the edits of one page; groups of one stage may come in any. */
export type StepGroup = readonly Step[]

/** A clock for the content: every step a minute, or whatever is said, after the one before. */
export function timeline(start: string, secondsApart = 60): () => string {
  let now = Date.parse(start) - secondsApart * 1000
  return () => {
    now += secondsApart * 1000
    return new Date(now).toISOString().replace('.000Z', 'Z')
  }
}
