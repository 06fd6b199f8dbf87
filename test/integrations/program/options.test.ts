/** What a program passes that cannot be: it is told before anything is done, and no word that means nothing lets all pass. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startRecording, startReplay } from '../../../src/index.ts'
import { insertOptions } from '../../../src/integrations/in-process/insert-options.ts'
import {
  type InsertOptions,
  insertCassette
} from '../../../src/integrations/nock/insert-cassette.ts'
import {
  type TestOptions,
  withCassette
} from '../../../src/integrations/testing/with-cassette.ts'
import {
  type UseOptions,
  useCassette
} from '../../../src/integrations/vitest/use-cassette.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { shipped } from '../../helpers/shipped.ts'

const apiUrl = 'http://127.0.0.1:1/w/api.php'
const cassette = shipped('1.43')
const test = (): void => undefined
/** As JavaScript passes it. */
const passed = <Options>(options: unknown): Options => options as Options

const refused: readonly (readonly [said: string, call: () => unknown])[] = [
  [
    'startReplay: the options are null; expected an object of cassette, port, report',
    () => startReplay(passed(null))
  ],
  [
    'startReplay: unknown option "casette" (did you mean cassette?); expected',
    () => startReplay(passed({ casette: cassette }))
  ],
  [
    'startReplay: unknown option "__proto__"; expected',
    () => startReplay(passed(JSON.parse('{"__proto__":1}')))
  ],
  [
    'startReplay: cassette is 5; expected a text, e.g. "cassettes/mine"',
    () => startReplay(passed({ cassette: 5 }))
  ],
  ['startReplay: cassette is ""; expected a text', () => startReplay({ cassette: '' })],
  [
    'startReplay: port is 99999; expected a whole number from 0 to 65535',
    () => startReplay({ cassette, port: 99_999 })
  ],
  [
    'startReplay: port is "4050"; expected a whole number',
    () => startReplay(passed({ cassette, port: '4050' }))
  ],
  [
    'startReplay: report is true; expected a function, e.g. console.log',
    () => startReplay(passed({ cassette, report: true }))
  ],
  [
    'startRecording: apiUrl is an object; expected a text',
    () => startRecording(passed({ cassette, apiUrl: new URL(apiUrl) }))
  ],
  [
    'startRecording: mode is "record"; expected one of none, once',
    () => startRecording(passed({ cassette, apiUrl, mode: 'record' }))
  ],
  [
    'startRecording: insecure is "no"; expected true or false',
    () => startRecording(passed({ cassette, apiUrl, insecure: 'no' }))
  ],
  [
    'insertCassette: the name is undefined; expected a text, e.g. "lists-pages"',
    () => insertCassette(passed(undefined))
  ],
  [
    'insertCassette: onMiss is "ignore"; expected one of synthesize, error',
    () => insertCassette('x', passed({ onMiss: 'ignore' }))
  ],
  [
    'insertCassette: missStatus is 42; expected a whole number from 200 to 599',
    () => insertCassette('x', { missStatus: 42 })
  ],
  [
    'insertCassette: timeout is 0.5; expected',
    () => insertCassette('x', { timeout: 0.5 })
  ],
  [
    'withCassette: the options are "x"; expected an object',
    () => withCassette(passed('x'), test)
  ],
  [
    'withCassette: the test is undefined; expected a function',
    () => withCassette({ apiUrl }, passed<typeof test>(undefined))
  ],
  [
    'withCassette: missed is "error"; expected one of fail, warn, ignore',
    () => withCassette(passed<TestOptions>({ missed: 'error' }), test)
  ],
  [
    'useCassette: unused is false; expected one of fail, warn, ignore',
    () => useCassette(passed<UseOptions>({ unused: false }))
  ],
  [
    'useCassette: unknown option "alowLive" (did you mean allowLive?); expected',
    () => useCassette('x', passed<UseOptions>({ alowLive: true }))
  ]
]

describe('what cannot be is refused, and what was expected is said', () => {
  it.each(refused)('%s', (said, call) => {
    const begins = (error: unknown): boolean =>
      error instanceof TypeError && error.message.startsWith(said)
    expect(call).toThrow(expect.toSatisfy(begins))
  })

  it('toHaveNoDrift: a severity that is none lets no drift pass', async () => {
    const wrong = passed<{ failOn: 'any' }>({ failOn: 'all' })
    await expect(expect(cassette).toHaveNoDrift(shipped('1.35'), wrong)).rejects.toThrow(
      'toHaveNoDrift: failOn is "all"; expected one of breaking, risky, any, none'
    )
  })
})

it('what is not given may be undefined', async () => {
  const serving = await startReplay(
    passed({ cassette, port: undefined, report: undefined })
  )
  expect(await serving.close()).toMatchObject({ missed: 0 })
})

it('whatever an option is, it is taken or told, and nothing is made meanwhile', () => {
  const root = path.join(temporaryFolder(), 'none')
  const names = fc.constantFrom(
    ...Object.keys(insertOptions).filter((name) => name !== 'report')
  )
  fc.assert(
    fc.property(names, fc.anything(), (name, value) => {
      const options = {
        mode: 'none',
        root,
        apiUrl: 'http://wiki.example/w/api.php',
        [name]: value
      }
      const expectation = insertOptions[name as keyof InsertOptions]
      const isTaken = value === undefined || expectation.accepts(value)
      const call = (): unknown => insertCassette('x', options as InsertOptions)
      if (!isTaken) expect(call).toThrow(`insertCassette: ${name} is `)
      expect(existsSync(root)).toBe(false)
    })
  )
})
