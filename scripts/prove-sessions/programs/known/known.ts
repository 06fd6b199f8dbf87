/** Programs that were answered wrongly once, each by what it shows; with the variants in which that showed. */
import type { Params, Program, Step } from '../program.ts'
import { Script } from '../script.ts'

type Variant = (steps: readonly Step[]) => readonly Step[]

export interface Known {
  readonly program: Program
  readonly variants: readonly Variant[]
}

export const without =
  (leaves: (step: Step) => boolean): Variant =>
  (steps) =>
    steps.filter((step) => !leaves(step))

/** The steps of some clients before those of all others. */
export const first =
  (...clients: readonly number[]): Variant =>
  (steps) => [
    ...steps.filter(({ who }) => clients.includes(who)),
    ...steps.filter(({ who }) => !clients.includes(who))
  ]

/** Two steps change places. */
export const exchanged =
  (one: (step: Step) => boolean, other: (step: Step) => boolean): Variant =>
  (steps) => {
    const a = steps.find(one)
    const b = steps.find(other)
    if (a === undefined || b === undefined) return steps
    return steps.map((step) => (step === a ? b : step === b ? a : step))
  }

export const of =
  (what: string, title?: string) =>
  ({ what: is, send }: Step): boolean => {
    if (is !== what) return false
    return title === undefined || JSON.stringify(send).includes(`"${title}"`)
  }

/** Two edits get each other's value of a parameter. */
export const exchangedValues =
  (name: string): Variant =>
  (steps) => {
    const values = steps
      .flatMap(({ send }) => (send.by === 'post' ? (send.params[name] ?? []) : []))
      .reverse()
    let at = -1
    return steps.map((step): Step => {
      if (step.send.by !== 'post' || step.send.params[name] === undefined) return step
      at += 1
      return {
        ...step,
        send: { ...step.send, params: { ...step.send.params, [name]: values[at] ?? '' } }
      }
    })
  }

export const known = (
  name: string,
  write: (script: Script) => Script,
  ...variants: readonly Variant[]
): Known => ({
  program: write(new Script(name)).program,
  variants
})

export const madeUp: Params = Object.fromEntries(
  ['wiki135', 'wiki139', 'wiki143'].flatMap((wiki) => [
    [`${wiki}UserID`, '1'],
    [`${wiki}UserName`, 'Admin'],
    [`${wiki}Token`, '0123456789abcdef0123456789abcdef']
  ])
)

export const pixel: string = Buffer.from('89504e470d0a1a0a11', 'hex').toString('base64')
export const upload: Params = {
  action: 'upload',
  filename: 'Prove S.png',
  ignorewarnings: '1',
  token: '{csrf}'
}
export const block = (user: string): Params => ({
  action: 'block',
  user,
  expiry: 'never',
  reason: 'b',
  token: '{csrf}'
})
