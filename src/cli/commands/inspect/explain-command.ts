import {
  explainRequest,
  type RequestExplanation,
  stepText,
  synthesisTexts,
  targetOf
} from '../../../recorder/engine/miss/explain-request.ts'
import { adviceText, differenceText } from '../../../recorder/engine/miss/miss-reply.ts'
import type { Reply } from '../../../recorder/http/incoming-request.ts'
import type { Derivation } from '../../../recorder/request/derive.ts'
import { plural } from '../../../recorder/text/words.ts'
import { type Command, expectArgs, type Invocation } from '../../args/command.ts'
import { replayService } from '../../serve/serve.ts'
import { printJson, printLine } from '../../terminal/terminal-output.ts'

export const explainCommand: Command = {
  name: 'explain',
  async run(call) {
    const [address = ''] = expectArgs(explainCommand, call, 1)
    // A miss is printed below, not as the replay reports it.
    const quiet = { ...call, stderr: () => undefined }
    const { engines, apiPath } = await replayService(quiet)
    const engine = engines.first
    const explanation = await explainRequest(engine, {
      method: 'GET',
      target: targetOf(address, apiPath),
      headers: {},
      body: new Uint8Array(),
      session: '',
      signal: undefined
    })
    const { derivation, reply, miss } = explanation
    const { steps, undescribed } = derivation
    const { cassetteStatus: status, key = derivation.key, from, by } = reply
    const answer = { key, status, recorded: status === 'replayed', from, by }
    if (call.isOn('json')) printJson(call, { ...answer, steps, undescribed, miss })
    else printExplanation(explanation, call)
    return miss ? 1 : 0
  }
}

function printExplanation(
  { derivation, reply, miss }: RequestExplanation,
  call: Invocation
) {
  const width = Math.max(0, ...derivation.steps.map((step) => step.name.length))
  for (const step of derivation.steps)
    printLine(call, `  ${step.name.padEnd(width)}  ${stepText(step)}`)
  const undescribed = derivation.undescribed.join(', ')
  if (undescribed !== '')
    printLine(
      call,
      `not described by this cassette, so all counts as sent: ${undescribed}`
    )
  printLine(call, `key ${derivation.key} ${answerText(derivation, reply)}`)
  if (!miss) return
  printLine(call, `${miss.reason}: ${miss.what}`)
  for (const near of miss.nearest) {
    printLine(call, `nearest ${near.key}`)
    for (const difference of near.differences)
      printLine(call, `  ${differenceText(difference)}`)
  }
  printLine(call, adviceText(miss))
}

function answerText(
  { key }: Derivation,
  { cassetteStatus, key: answeredKey, from = [], by }: Reply
) {
  if (cassetteStatus === 'replayed')
    return `is recorded${answeredKey === key ? '' : ` as ${answeredKey}`}`
  if (cassetteStatus !== 'synthesized') return 'is not recorded'
  const of =
    from.length === 0
      ? ''
      : ` of ${plural(from.length, 'recording')} (${from.join(', ')})`
  return `is not recorded; replay makes the answer${of}${by === undefined ? '' : `, ${synthesisTexts[by]}`}`
}
