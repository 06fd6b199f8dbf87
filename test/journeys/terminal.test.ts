/** What a wiki or a client wrote cannot speak to the terminal: it is spelled out in every line that any verb prints. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import {
  escapeControls,
  escapeControlsInLines
} from '../../src/recorder/text/escape-control-characters.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { run } from '../helpers/program.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'

const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u007f\u202egnp.exe\u2066\r\b'
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

function cassette(title = ''): string {
  const dir = path.join(temporaryFolder(), 'tape')
  const store = CassetteStore.openOrCreate(dir, 'http://wiki.example/w/api.php')
  for (const apfrom of [evil, `${evil}2`])
    store.put(
      interactionOf({ action: 'query', list: 'allpages', apfrom }, [
        response(
          jsonBody(
            JSON.stringify({
              query: { allpages: [{ pageid: 1, ns: 0, title: evil + title }] },
              evil
            })
          )
        )
      ])
    )
  store.put(
    interactionOf({ action: 'parse', page: evil }, [
      response({ kind: 'text', text: evil })
    ])
  )
  return dir
}

describe('no escape reaches the terminal', () => {
  it('from any verb that looks into a cassette', async () => {
    const dir = cassette()
    const query = `action=query&list=allpages&apfrom=${encodeURIComponent(`${evil}3`)}`
    const keys = [...CassetteStore.open(dir).paths()].map(([key]) => key)
    const calls = [
      ['ls', dir],
      ...keys.map((key) => ['show', key, '--cassette', dir]),
      ...keys.map((key) => ['show', key, '--cassette', dir, '--json']),
      ['explain', query, '--cassette', dir],
      ['coverage', dir],
      ['check', dir],
      ['normalize', '--check', dir],
      ['diff', dir, cassette()],
      ['show', evil, '--cassette', dir],
      [evil],
      ['ls', `/nowhere/${evil}`]
    ]
    for (const call of calls) {
      const { stdout, stderr } = await run(call)
      expect(`${stdout}${stderr}`, call.join(' ')).not.toMatch(hidden)
    }
    const shown = await run(['show', keys[0] ?? '', '--cassette', dir, '--json'])
    expect(JSON.parse(shown.stdout)).toHaveProperty('request')
  })

  it('from an answer that is passed on, nor from a wiki that cannot be asked', async () => {
    const wiki = await fakeWiki(() => ({
      status: 503,
      body: evil,
      headers: { 'content-type': 'text/html' }
    }))
    const dir = path.join(temporaryFolder(), 'tape')
    const stdin = `action=query&list=allpages&apfrom=${encodeURIComponent(evil)}\n`
    const { stdout, stderr } = await run(
      ['capture', wiki.api, '--cassette', dir, '--requests', '-'],
      {
        stdin
      }
    )
    expect(`${stdout}${stderr}`).not.toMatch(hidden)
  })
})

describe('diff at a terminal', () => {
  const diff = async (format: string, isTerminal: boolean): Promise<string> => {
    const { stdout } = process
    const before = stdout.isTTY
    Object.assign(stdout, { isTTY: isTerminal })
    try {
      const call = [
        'diff',
        cassette('one'),
        cassette('other'),
        '--format',
        format,
        '--show',
        'all'
      ]
      return (await run(call, { env: { NO_COLOR: '1' } })).stdout
    } finally {
      Object.assign(stdout, { isTTY: before })
    }
  }

  it.each(['json', 'markdown', 'junit', 'sarif', 'html', 'terminal'])(
    'shows no escape as %s',
    async (format) => {
      const shown = await diff(format, true)
      expect(shown.length).toBeGreaterThan(50)
      expect(shown).not.toMatch(hidden)
    }
  )

  it('has every sign for a program', async () => {
    expect(await diff('json', false)).toMatch(/\u009b.*\u007f.*\u202e/)
  })
})

describe('text is spelled out', () => {
  it('sign by sign; line ends and tabs stay where lines are meant', () => {
    expect(escapeControls('a\u001b[31mb\nc')).toBe('a\\u001b[31mb\\u000ac')
    expect(escapeControlsInLines('a\tb\n\u009bВолга 日本\r')).toBe(
      'a\tb\n\\u009bВолга 日本\\u000d'
    )
  })
})
