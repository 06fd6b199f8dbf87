/** Steps of a key that concern passwords: what may be left of one, and whether the answer is about one. */

import type { RequestEffect } from '../wiki/effects/request-effect.ts'
import type { ParamPairs, Params } from '../wiki/parameters/request-params.ts'
import type { KeyStep, ParamDescriptions } from './key-step.ts'
import { asksAboutPassword } from './secret-params.ts'

/** The steps of a request; what may be the rest of its password has no place in the key. */
export function withoutRestOfPassword(
  steps: readonly KeyStep[],
  params: ParamDescriptions
): readonly KeyStep[] {
  const hasPassword = steps.some(
    ({ name, sent, rule }) => rule === 'secret' && asksAboutPassword(name, sent)
  )
  // Behind a `&` that was not escaped, the rest of a password is the name of a parameter without a value.
  const mayBeRest = ({ name, sent }: KeyStep) =>
    hasPassword && sent === '' && (params.get(name)?.length ?? 0) === 0
  return steps.map((step) =>
    mayBeRest(step) ? { ...step, became: undefined, rule: 'secret' } : step
  )
}

/** A write is told apart by its place in the session; a read is not, so its answer may be another secret's. */
export function secretDecidingIn(
  steps: readonly KeyStep[],
  params: ParamDescriptions,
  innerSecrets: ParamPairs,
  effect: RequestEffect
): string | undefined {
  const action = steps.find(({ name }) => name === 'action')?.sent ?? ''
  // A secret of a module that reads, such as the token of a watchlist (ApiBase::getWatchlistUser).
  const isCompared = (name: string) => {
    const [found] = params.get(name) ?? []
    return found !== undefined && found.tokenType === undefined
  }
  const step = steps.find(
    ({ name, sent, rule }) =>
      rule === 'secret' && (asksAboutPassword(name, sent) || isCompared(name))
  )
  if (step && (effect === 'read' || secretTests.has(action))) return step.name
  return effect === 'read' ? innerSecrets[0]?.[0] : undefined
}

/** Modules that tell whether a secret is right. Source: ApiValidatePassword, ApiOATHValidate */
const secretTests: ReadonlySet<string> = new Set(['validatepassword', 'oathvalidate'])

/** Which kind of token each token parameter wants. */
export const tokenTypesOf = (
  steps: readonly KeyStep[],
  params: ParamDescriptions
): Params =>
  new Map(
    steps.flatMap(({ name, rule }) => {
      const type =
        rule === 'secret'
          ? (params.get(name)?.[0]?.tokenType ?? undescribedType(name, steps))
          : undefined
      return type === undefined ? [] : [[name, type]]
    })
  )

/** Source: ApiLogin and ApiCheckToken, which compare tokens themselves */
function undescribedType(name: string, steps: readonly KeyStep[]) {
  const sent = (param: string) => steps.find((one) => one.name === param)?.sent
  if (name === 'lgtoken') return 'login'
  return name === 'token' && sent('action') === 'checktoken' ? sent('type') : undefined
}
