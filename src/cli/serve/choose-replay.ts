/** What `exec` and `replay` serve: one cassette at an address, or all of them to a program that names its wikis. */
import { cassettesIn } from '../../recorder/store/files/paths-inside.ts'
import type { Invocation } from '../args/command.ts'
import { cassettesFolder, namedCassette } from '../flags/cassette-flags.ts'
import { replayService, type Service } from './serve.ts'

/** @throws UsageError, StoreError */
export async function chosenReplay(call: Invocation): Promise<Service> {
  const isNamed = namedCassette(call) !== undefined
  const isSealed = call.isOn('sealed')
  const isProxy = call.value('ca') !== undefined
  if (isNamed && !call.isOn('intercept') && !isSealed && !isProxy)
    return replayService(call)

  const count = cassettesIn(cassettesFolder).length
  const isOnly = isProxy ? count === 0 : count < 2
  if (isOnly && call.childCommand.length === 0 && !isProxy) return replayService(call)

  const { interceptedReplay, requireNamespaces, withInterception } = await import(
    './intercepting.ts'
  )
  if (isSealed) requireNamespaces()
  return isNamed || isOnly
    ? withInterception(await replayService(call), call)
    : interceptedReplay(call)
}
