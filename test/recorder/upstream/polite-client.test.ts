/** Who asks without a client asks one question at a time, and wastes no time of the wiki's. */
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { PoliteClient } from '../../../src/recorder/upstream/polite-client.ts'
import { testClock } from '../../helpers/clocks.ts'
import { answer } from '../../helpers/recorded.ts'

it('the next question is on its way before the last answer is worked on, and none before that', async () => {
  const events: string[] = []
  const upstream = new PoliteClient(
    {
      async ask({ target }) {
        events.push(`${target} is asked`)
        await setImmediate()
        events.push(`${target} is answered`)
        return answer('{}')
      },
      close: () => undefined
    },
    {
      retryPolicy: { retries: 0, maxWait: 0, concurrency: 1 },
      clock: testClock(),
      onWait: () => undefined
    }
  )
  const worked = ['/first', '/second'].map(async (target) => {
    await upstream.ask({
      method: 'GET',
      target,
      headers: {},
      body: new Uint8Array(),
      isRepeatable: true
    })
    events.push(`${target} is worked on`)
  })
  await Promise.all(worked)
  expect(events.slice(0, 4)).toEqual([
    '/first is asked',
    '/first is answered',
    '/second is asked',
    expect.stringContaining('/second is answered')
  ])
  expect(events.indexOf('/second is asked')).toBeLessThan(
    events.indexOf('/first is worked on')
  )
})

it('measures how long an answer takes, without the waits before it', async () => {
  let now = 0
  const upstream = new PoliteClient(
    {
      async ask() {
        now += 2_340
        return answer('{}', now < 3_000 ? { 'retry-after': '9' } : {}, {
          status: now < 3_000 ? 503 : 200
        })
      },
      close: () => undefined
    },
    {
      retryPolicy: { retries: 1, maxWait: 60_000, concurrency: 1 },
      clock: {
        ...testClock(),
        now: () => now,
        sleep: async (milliseconds) => {
          now += milliseconds
        }
      },
      onWait: () => undefined
    }
  )
  const { status, seconds } = await upstream.ask({
    method: 'GET',
    target: '/',
    headers: {},
    body: new Uint8Array()
  })
  expect([status, seconds]).toEqual([200, 2.3])
  expect(now).toBeGreaterThan(13_000)
})
