/** Requests as Copy gives them to other programs. They are run in test/browser/copied.test.ts. */
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { ParamView } from '../../src/pages/views.ts'
import { readRequest } from '../../ui/request/asked-request.ts'
import { copiedOf, copiedOfSent } from '../../ui/request/copied-of.ts'
import { copyForms } from '../../ui/request/copy-as.ts'

const params = [
  ['action', 'query'],
  ['titles', 'It\'s|"a" $HOME \\ Б&c=d'],
  ['format', 'json']
] as const
const address = 'https://wiki.example/w/api.php'
const formsOf = (
  isPost: boolean,
  more: {
    readonly files?: readonly string[]
    readonly params?: readonly (readonly [string, string])[]
    readonly address?: string
  } = {}
): ReadonlyMap<string, string> =>
  new Map(copyForms({ address, params, isPost, files: [], ...more }))

describe('a copied request', () => {
  it.each([false, true])(
    'as curl is read again as the same request by Ask, posted: %s',
    (isPost) => {
      const { address, form } = readRequest(formsOf(isPost).get('curl') ?? '')
      const query = isPost ? (form ?? '') : (address.split('?')[1] ?? '')
      expect([...new URLSearchParams(query)]).toEqual(params)
      expect(form === undefined).toBe(!isPost)
    }
  )

  it('as curl gives a shell these very words', () => {
    const line = (formsOf(false).get('curl') ?? '').replace(/^curl/, "printf '%s\\n'")
    expect(
      spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout.split('\n')
    ).toContain(`titles=${params[1][1]}`)
  })

  it('as curl and as code has no character that a terminal obeys or hides', () => {
    const text = 'a\r\nb\u001b[2J\u202e\u2028'
    const forms = formsOf(true, { params: [['text', text]] })
    for (const form of forms.values()) expect(form).not.toMatch(/[\r\u001b\u202e\u2028]/)
    const { form } = readRequest(forms.get('curl') ?? '')
    expect(new URLSearchParams(form).get('text')).toBe(text)
  })

  it('as fetch is JavaScript that sends it', async () => {
    const sent: string[] = []
    const fetch = async (target: string): Promise<object> => {
      sent.push(target)
      return { json: () => ({}) }
    }
    const code = `return (async () => { ${formsOf(false).get('fetch')} })()`
    await (new Function('fetch', code) as (fetch: unknown) => Promise<void>)(fetch)
    expect([...new URL(sent[0] ?? '').searchParams]).toEqual(params)
  })

  it('as Python names every parameter, and mwclient the host', () => {
    const forms = formsOf(true)
    for (const name of ['Python, requests', 'Python, mwclient'])
      expect(forms.get(name)).toContain('"titles": "It\'s|\\"a\\" $HOME \\\\ Б&c=d",')
    expect(forms.get('Python, mwclient')).toContain(
      'mwclient.Site("wiki.example", path="/w/", scheme="https", do_init=False)'
    )
  })

  it.each([
    ['json', 'response.json()', 'answer = json.loads('],
    ['xml', 'response.text', 'answer = site.raw_call(']
  ])('reads an answer in format=%s as what it is', (format, response, answer) => {
    const forms = formsOf(false, { params: [['format', format]] })
    expect(forms.get('fetch')).toContain(response)
    expect(forms.get('Python, requests')).toContain(response)
    expect(forms.get('Python, mwclient')).toContain(answer)
  })

  it('of another page than the API is none for mwclient', () => {
    const forms = formsOf(false, { address: 'https://wiki.example/w/rest.php/v1/page/A' })
    expect(forms.has('Python, mwclient')).toBe(false)
    expect(forms.get('curl')).toContain('/w/rest.php/v1/page/A')
  })
})

const recorded = {
  ...{ key: 'a', file: '', folder: '', words: '', who: '', state: '', statuses: [] },
  ...{
    error: '',
    hasWarnings: false,
    wrote: false,
    after: '',
    bytes: 0,
    written: 0,
    fault: ''
  },
  ...{ isLarge: false, responses: [], command: '' }
}
const ofRecorded = (one: Readonly<Record<string, string>>) => {
  const params = Object.entries(one).map(([name, value]): ParamView => ({ name, value }))
  return copiedOf({ ...recorded, params })
}

describe('what is copied of a recording', () => {
  it('is its parameters, in JSON, by GET', () => {
    expect(ofRecorded({ action: 'query', 'as user': 'user:Анна' })).toMatchObject({
      params: [
        ['action', 'query'],
        ['format', 'json']
      ],
      files: [],
      isPost: false
    })
  })

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ['token', { action: 'login', lgtoken: '(login token)' }],
    ['password', { action: 'clientlogin', password: '(secret)' }],
    ['long text', { action: 'parse', text: 'Б'.repeat(1000) }],
    ['file', { action: 'upload', 'file file': 'a1b2 70 bytes' }]
  ])('with a %s is posted', (_, one) => {
    expect(ofRecorded(one).isPost).toBe(true)
  })

  it('has tokens that this server takes for those that were sent', () => {
    const paramsOf = (token: string) =>
      new Map(ofRecorded({ action: 'edit', text: token, token }).params)
    expect(paramsOf('(token)').get('token')).toBe(`${'0'.repeat(40)}+\\`)
    expect(paramsOf('(anonymous token)').get('token')).toBe('+\\')
    expect(paramsOf('(token)').get('text')).toBe('(token)')
  })

  it('names the files that were sent', () => {
    expect(ofRecorded({ action: 'upload', 'file file': 'a1b2' }).files).toEqual(['file'])
  })

  it('is the address of another page than the API, and no body', () => {
    const target = '/w/rest.php/v1/search/title?q=A%26B&limit=2'
    expect(ofRecorded({ 'plain target': target })).toMatchObject({
      path: '/w/rest.php/v1/search/title',
      params: [
        ['q', 'A&B'],
        ['limit', '2']
      ],
      isPost: false,
      unread: ''
    })
    expect(ofRecorded({ 'plain target': target, 'plain body': 'a1' }).unread).not.toBe('')
  })
})

it('of a live request is what the client sent, where it sent it', () => {
  const sent = {
    method: 'POST',
    path: '/~other/w/api.php',
    params: [{ name: 'action', value: 'upload' }],
    files: ['file: 70 bytes'],
    unread: '',
    headers: [],
    cookies: []
  }
  expect(copiedOfSent(sent)).toEqual({
    path: '/~other/w/api.php',
    params: [['action', 'upload']],
    files: ['file'],
    isPost: true,
    unread: ''
  })
})
