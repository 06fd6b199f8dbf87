/** The members of the answers of one operation, as two OpenAPI descriptions have them. */
import type { ModuleDescription } from '../../recorder/wiki/modules/module-descriptions.ts'
import type { RequestRef } from '../changes/change.ts'
import { type Emit, onlyIn } from './compare-params.ts'

type AnswerMembers = ModuleDescription['parameters']

export function compareAnswerMembers(
  { parameters: a }: ModuleDescription,
  { parameters: b }: ModuleDescription,
  hits: readonly RequestRef[],
  emit: Emit
): void {
  for (const param of new Set([...a.keys(), ...b.keys()])) {
    if (isWithinChanged(param, a, b)) continue
    const before = a.get(param)
    const after = b.get(param)
    if (!before || !after) {
      // That an error has ended hurts nobody.
      const harmless = !param.includes('.') && param !== 'success'
      emit(before ? 'response.removed' : 'response.added', { param, hits, harmless })
      continue
    }
    if (before.type !== after.type || before.multi !== after.multi)
      emit('response.type-changed', {
        param,
        before: typeText(before),
        after: typeText(after),
        hits
      })
    if (before.required !== after.required)
      emit(after.required ? 'response.required' : 'response.optional', { param, hits })
    if (before.values.size === 0 || after.values.size === 0) continue
    for (const value of onlyIn(after.values, before.values))
      emit('response.value-added', { param, value, after: value, hits })
    for (const value of onlyIn(before.values, after.values))
      emit('response.value-removed', { param, value, before: value })
  }
}

const typeText = ({ type, multi }: { readonly type: string; readonly multi: boolean }) =>
  multi ? `list of ${type}` : type

/** True for `body.item.id` where all of `body.item` came or went. */
export function isWithinChanged(
  name: string,
  a: AnswerMembers,
  b: AnswerMembers
): boolean {
  const at = name.lastIndexOf('.')
  if (at === -1) return false
  const parent = name.slice(0, at)
  return a.has(parent) !== b.has(parent) || isWithinChanged(parent, a, b)
}
