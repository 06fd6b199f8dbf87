/** What an answer in the middle of a walk has of its own: its rows, and where it goes on. All else it shares with others. */
import { isObject, type Json } from './decode.ts'

export interface Onward {
  /** The whole answer. */
  readonly answer: Json
  /** The one parameter that goes on, and its value. */
  readonly param: string
  readonly value: string | number
  readonly rows: readonly unknown[]
}

/** Of an answer that holds the rows of one list and goes on by one parameter; undefined for any other. */
export function onwardIn(answer: Json): Onward | undefined {
  const { continue: goesOn, query } = answer
  if (!isObject(goesOn) || !isObject(query)) return undefined
  const [param, second, third] = Object.keys(goesOn)
  const [list = '', another] = Object.keys(query)
  const rows = query[list]
  if (param === undefined || second !== 'continue' || third !== undefined) return undefined
  if (another !== undefined || !Array.isArray(rows)) return undefined
  const value = goesOn[param]
  return typeof value === 'string' || typeof value === 'number' ? { answer, param, value, rows } : undefined
}

/** True where two answers differ in nothing else. */
export function sameElse(a: Onward, b: Onward): boolean {
  const names = Object.keys(a.answer)
  const others = Object.keys(b.answer)
  if (a.param !== b.param || typeof a.value !== typeof b.value || names.length !== others.length) return false
  return names.every((name, at) => {
    const [one, other] = [a.answer[name], b.answer[name]]
    if (name !== others[at]) return false
    if (one === other) return true
    if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other)
    // What either of these holds beside was seen: the `continue` of the one, and the name of the other's list.
    if (name === 'continue') return one['continue'] === other['continue']
    if (name === 'query') return Object.keys(one)[0] === Object.keys(other)[0]
    return JSON.stringify(one) === JSON.stringify(other)
  })
}
