/** `--mode update` drops only where there is evidence that the whole suite has run, and names what it drops. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { asking as asks, shell } from '../helpers/commands.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run, serving } from '../helpers/program.ts'
import { startProxy } from '../helpers/proxies.ts'

const asking = (letters: string, code = 0): readonly string[] => {
  const asked = [...letters].map((from) =>
    asks(`?action=query&format=json&list=allpages&apfrom=${from}`)
  )
  return shell(`${asked.join(' && ')} && exit ${code}`)
}

describe('a run with --mode update', () => {
  it('keeps what was not requested again unless the whole suite seems to have run', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const first = await startProxy(wiki.api, { cassette })
    for (const from of 'ABCDE')
      await ask(`${first.api}?action=query&format=json&list=allpages&apfrom=${from}`)
    await first.close()
    const args = ['record', wiki.api, '--cassette', cassette, '--mode', 'update']

    const recording = await serving(args)
    await ask(`${recording.api}?action=query&format=json&list=allpages&apfrom=A`)
    const alone = await recording.stop()
    expect(alone.stderr).toContain(
      'keeps 4 recordings that were not requested again: query.allpages/'
    )
    expect(alone.stderr).toContain('shows that all clients are finished')

    const one = await run([...args, '--port', '0', '--', ...asking('A')])
    expect(one.stderr).toMatch(
      /keeps 4 recordings .* only 1 of 5 recordings of .* were requested/
    )
    const failing = await run([...args, '--port', '0', '--', ...asking('ABCD', 3)])
    expect(failing.stderr).toMatch(
      /keeps 1 recording .*apfrom=E.* ended with exit code 3/
    )
    expect(interactionFiles(cassette).length).toBe(5)

    const whole = await run([...args, '--port', '0', '--', ...asking('ABCD')])
    expect(whole.stderr).toMatch(
      /drops 1 recording that was not requested again: \S+apfrom=E\S+\.json/
    )
    expect(interactionFiles(cassette).length).toBe(4)
  })
})
