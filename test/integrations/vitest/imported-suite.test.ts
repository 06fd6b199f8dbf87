/** A suite of Polly's, moved: its recordings imported, its tests run offline. */
import { expect, it } from 'vitest'
import { run as runProgram } from '../../helpers/program.ts'
import { project } from './nested.ts'

const api = 'https://ru.wikipedia.org/w/api.php'

const recording = (title: string, from: string): string =>
  JSON.stringify({
    log: {
      _recordingName: title,
      version: '1.2',
      entries: [
        {
          request: {
            method: 'GET',
            url: `${api}?action=query&list=allpages&apfrom=${from}&format=json`,
            headers: []
          },
          response: {
            status: 200,
            headers: [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }],
            content: {
              mimeType: 'application/json',
              text: `{"query":{"from":"${from}"}}`
            }
          },
          startedDateTime: '2026-01-01T00:00:00.000Z'
        }
      ]
    }
  })

it('runs offline where its recordings were imported for vitest: nothing is missed', async () => {
  const { folder, write, run } = project(`setupFiles: ['./set-up.ts'], globals: true`)
  write({
    'set-up.ts': `import { useCassette } from 'wikitape/vitest'\nuseCassette({ apiUrl: '${api}' })`,
    'test/client.test.ts': `
const from = async (title: string) => {
  const answer = await fetch('${api}?action=query&list=allpages&format=json&apfrom=' + title)
  return (await answer.json()).query.from
}
describe('the client', () => {
  it('lists «Волга»', async () => expect(await from('A')).toBe('A'))
  it("can't stop", async () => expect(await from('B')).toBe('B'))
})`,
    'test/recordings/the-client_1/lists_2/recording.har': recording(
      'the client/lists «Волга»',
      'A'
    ),
    'test/recordings/the-client_1/can-t-stop_3/recording.har': recording(
      "the client/can't stop",
      'B'
    )
  })
  const imported = await runProgram(['import', 'test/recordings', '--for', 'vitest'], {
    cwd: folder
  })
  expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)])
  const { code, tests } = await run({ CI: 'true' })
  expect(tests).toEqual({
    'the client lists «Волга»': { status: 'passed', errors: [] },
    "the client can't stop": { status: 'passed', errors: [] }
  })
  expect(code).toBe(0)
})
