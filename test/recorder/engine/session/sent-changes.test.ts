/** While recording, whatever may have changed the wiki makes recorded answers old: the wiki is asked again, once. */
import { describe, expect, it, vi } from 'vitest'
import { type FakeAnswer, type FakeWiki, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask, type HttpReply } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { Client } from '../../../helpers/stateful-wiki.ts'

type Fields = Readonly<Record<string, string>>

const token = `${'0f'.repeat(20)}+\\`
const bob = { cookie: 'wikiUserName=Bob; wikiUserID=3; wiki_session=5f3a9c0e77d14b6f' }
const statusOf = ({ headers }: HttpReply): string => String(headers['x-cassette-status'])

/** A wiki whose every read tells how many writes reached it. @param answer to each write */
function countingWiki(answer: FakeAnswer = '{}'): Promise<FakeWiki> {
  let writes = 0
  return fakeWiki((params, { method, target }) => {
    if (method === 'POST' || (method === 'GET' && target.includes('index.php'))) {
      writes += 1
      return answer
    }
    return JSON.stringify({ query: { writes }, of: params.get('action') })
  })
}

interface Change {
  readonly name: string
  readonly read: Fields
  readonly write: Fields
  readonly answer: FakeAnswer
}

const revisions = { action: 'query', prop: 'revisions', rvprop: 'content', titles: 'X' }
const refusal = (code: string): FakeAnswer => ({
  headers: { 'mediawiki-api-error': code },
  body: JSON.stringify({ error: { code, info: code } })
})
const success = (action: string, more: object = {}): string =>
  JSON.stringify({ [action]: { result: 'Success', ...more } })

const changes: readonly Change[] = [
  {
    name: 'an edit by VisualEditor, whose success is in lower case',
    read: revisions,
    write: { action: 'visualeditoredit', paction: 'save', page: 'X', html: '<p>2</p>' },
    answer: '{"visualeditoredit":{"result":"success"}}'
  },
  {
    name: 'a topic added by DiscussionTools',
    read: { action: 'query', list: 'usercontribs', ucuser: 'Bob' },
    write: {
      action: 'discussiontoolsedit',
      paction: 'addtopic',
      page: 'X',
      wikitext: '2'
    },
    answer: '{"discussiontoolsedit":{"result":"success"}}'
  },
  {
    name: 'a null edit',
    read: { action: 'query', list: 'categorymembers', cmtitle: 'Category:A' },
    write: { action: 'edit', title: 'X', appendtext: '' },
    answer: success('edit', { nochange: '' })
  },
  {
    name: 'an edit that a filter refused',
    read: { action: 'query', list: 'abuselog' },
    write: { action: 'edit', title: 'X', text: 'bad' },
    answer: refusal('abusefilter-disallowed')
  },
  {
    name: 'an edit of a blocked user, whose address is blocked by it',
    read: { action: 'query', list: 'blocks' },
    write: { action: 'edit', title: 'X', text: '2' },
    answer: refusal('blocked')
  },
  {
    name: 'an upload that the wiki warned of',
    read: { action: 'query', list: 'mystashedfiles' },
    write: { action: 'upload', filename: 'X.png', url: 'http://x.invalid/x.png' },
    answer: '{"upload":{"result":"Warning","filekey":"1.png"}}'
  },
  {
    name: 'an upload out of the stash',
    read: { action: 'query', prop: 'stashimageinfo', siifilekey: '1.png' },
    write: { action: 'upload', filename: 'X.png', filekey: '1.png' },
    answer: success('upload', { filename: 'X.png' })
  },
  {
    name: 'a move of a page that somebody is blocked from',
    read: { action: 'query', list: 'blocks', bkprop: 'restrictions' },
    write: { action: 'move', from: 'X', to: 'Y' },
    answer: '{"move":{"from":"X","to":"Y"}}'
  },
  {
    name: 'an edit of the page whose protection another inherited',
    read: { action: 'query', prop: 'info', inprop: 'protection', titles: 'Q' },
    write: { action: 'protect', title: 'P', protections: 'edit=all' },
    answer: '{"protect":{"title":"P"}}'
  },
  {
    name: 'a block that hides the name',
    read: { ...revisions, rvprop: 'user' },
    write: { action: 'block', user: 'Dave', hidename: '1' },
    answer: '{"block":{"user":"Dave"}}'
  },
  {
    name: 'a new account',
    read: {
      action: 'query',
      meta: 'siteinfo',
      siprop: 'usergroups',
      sinumberingroup: '1'
    },
    write: { action: 'createaccount', username: 'Eve' },
    answer: '{"createaccount":{"status":"PASS","username":"Eve"}}'
  },
  {
    name: 'an edit that gave a temporary account',
    read: { action: 'query', list: 'users', ususers: '~2026-1' },
    write: { action: 'edit', title: 'X', text: '2' },
    answer: success('edit', { title: 'X', tempusercreated: '~2026-1' })
  },
  {
    name: 'an edit that the gateway did not wait for',
    read: revisions,
    write: { action: 'edit', title: 'X', text: '2' },
    answer: { status: 504, body: 'Gateway Timeout' }
  }
]

describe('a recorded read while recording', () => {
  it.each(changes)('is asked again once after $name', async ({ read, write, answer }) => {
    const wiki = await countingWiki(answer)
    const proxy = await startProxy(wiki.api)
    const client = new Client(proxy.api, { 'x-cassette-session': 'one' })
    const before = await client.get(read)
    await client.post({ ...write, token })
    const after = await client.get(read)
    expect(
      [before.text, after.text].map((text) => /"writes":(\d)/.exec(text)?.[1])
    ).toEqual(['0', '1'])
    const asked = wiki.asked().length
    expect(statusOf(await client.get(read))).toBe('replayed')
    expect(wiki.asked()).toHaveLength(asked)
  })

  it.each(changes)(
    'is asked again after $name by another session',
    async ({ read, write, answer }) => {
      const wiki = await countingWiki(answer)
      const proxy = await startProxy(wiki.api)
      const client = new Client(proxy.api, { 'x-cassette-session': 'one' })
      await client.get(read)
      await new Client(proxy.api, { 'x-cassette-session': 'two' }).post({
        ...write,
        token
      })
      expect((await client.get(read)).text).toContain('"writes":1')
    }
  )

  it('is asked again after an edit that the connection was cut at, or whose client has gone', async () => {
    let writes = 0
    const wiki = await fakeWiki((params, { method }, response) => {
      if (method !== 'POST') return JSON.stringify({ query: { writes } })
      writes += 1
      if (params.get('text') === 'cut') response.destroy()
      return 'taken'
    })
    const proxy = await startProxy(wiki.api)
    const client = new Client(proxy.api)
    expect((await client.get(revisions)).text).toContain('"writes":0')
    await client
      .post({ action: 'edit', title: 'X', text: 'cut', token })
      .catch(() => undefined)
    expect((await client.get(revisions)).text).toContain('"writes":1')
    const body = new URLSearchParams({
      action: 'edit',
      title: 'X',
      text: 'gone',
      format: 'json',
      token
    })
    const leaving = new AbortController()
    const left = fetch(proxy.api, { method: 'POST', body, signal: leaving.signal }).catch(
      () => undefined
    )
    await vi.waitFor(() => expect(writes).toBe(2))
    leaving.abort()
    await left
    expect((await client.get(revisions)).text).toContain('"writes":2')
  })

  it('is replayed to another session after an edit whose answer never came', async () => {
    let writes = 0
    const wiki = await fakeWiki((_params, { method }, response) => {
      if (method !== 'POST') return JSON.stringify({ query: { writes } })
      writes += 1
      response.destroy()
      return 'taken'
    })
    const run = async (api: string): Promise<readonly string[]> => {
      const [reading, writing] = [new Client(api), new Client(api, bob)]
      const before = await reading.get(revisions)
      await writing.post({ action: 'edit', title: 'X', token }).catch(() => undefined)
      return [before, await reading.get(revisions)].map(({ text }) => text)
    }
    const proxy = await startProxy(wiki.api)
    const recorded = await run(proxy.api)
    await proxy.close()
    const { api } = await startProxy(undefined, { cassette: proxy.cassette })
    expect(await run(api)).toEqual(recorded)
  })

  it('is asked again after a user has viewed a page, and not after an anonymous view or a style', async () => {
    const wiki = await countingWiki()
    const proxy = await startProxy(wiki.api)
    const reading = new Client(proxy.api, bob)
    const view = (target: string, headers: Record<string, string>): Promise<HttpReply> =>
      ask(`${proxy.origin}/w/${target}`, { headers })
    const watched = { action: 'query', list: 'watchlist' }
    expect((await reading.get(watched)).text).toContain('"writes":0')
    await view('index.php?title=X', {})
    await view('load.php?modules=site', bob)
    expect(statusOf(await reading.get(watched))).toBe('replayed')
    await view('index.php?title=X', bob)
    expect((await reading.get(watched)).text).toContain('"writes":2')
  })

  it('whose answer is the same after a write costs no recording', async () => {
    const wiki = await fakeWiki((params) =>
      params.get('action') === 'edit'
        ? success('edit', { title: 'X', pageid: 1 })
        : '{"query":{"same":1}}'
    )
    const proxy = await startProxy(wiki.api)
    const client = new Client(proxy.api)
    const other = { ...revisions, titles: 'Other' }
    await client.get(other)
    await client.post({ action: 'edit', title: 'X', text: '2', token })
    const { recorded } = proxy.rack.counts()
    await client.get(other)
    expect(wiki.asked()).toHaveLength(3)
    expect(proxy.rack.counts()).toMatchObject({ recorded, unchanged: 1 })
  })
})

describe('a recorded write while recording', () => {
  it('is sent again: an edit that was refused while its user was blocked succeeds afterwards', async () => {
    let isBlocked = true
    const wiki = await fakeWiki((params) => {
      if (params.get('action') === 'unblock') isBlocked = false
      if (params.get('action') === 'unblock') return '{"unblock":{"user":"Dave"}}'
      return isBlocked ? refusal('blocked') : success('edit', { title: 'X' })
    })
    const recording = await startProxy(wiki.api)
    const program = async (api: string): Promise<readonly string[]> => {
      const edit = { action: 'edit', title: 'X', text: '2', token }
      const dave = new Client(api, { 'x-cassette-session': 'dave' })
      const admin = new Client(api, { 'x-cassette-session': 'admin' })
      const first = await dave.post(edit)
      await admin.post({ action: 'unblock', user: 'Dave', token })
      const again = new Client(api, { 'x-cassette-session': 'dave, logged in again' })
      return [first.text, (await again.post(edit)).text]
    }
    const live = await program(recording.api)
    expect(live[1]).toContain('Success')
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(await program(replay.api)).toEqual(live)
  })
})

describe('a question about a token while recording', () => {
  it('always goes to the wiki, which has ended the session since', async () => {
    const answers = [
      '{"checktoken":{"result":"valid"}}',
      '{"checktoken":{"result":"invalid"}}'
    ]
    const wiki = await fakeWiki(() => answers.shift() ?? '{}')
    const proxy = await startProxy(wiki.api)
    const check = { action: 'checktoken', type: 'csrf', token }
    const [one, two] = ['one', 'two'].map(
      (name) => new Client(proxy.api, { 'x-cassette-session': name })
    )
    const texts = [
      (await one?.get(check))?.text ?? '',
      (await two?.get(check))?.text ?? ''
    ]
    expect(texts.map((text) => /valid|invalid/.exec(text)?.[0])).toEqual([
      'valid',
      'invalid'
    ])
  })
})

describe('a read that overlapped with a write of another session', () => {
  it('is asked again after it, so that nobody gets the old state for ever', async () => {
    let text = 'v1'
    let isHeld = true
    let release = (): void => undefined
    const wiki = await fakeWiki((params, _seen, response) => {
      if (params.get('action') === 'edit') {
        text = 'v2'
        release()
        return success('edit', { title: 'X', pageid: 1 })
      }
      const answer = JSON.stringify({ query: { text } })
      if (!isHeld) return answer
      isHeld = false
      release = () => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(answer)
      }
      return 'taken'
    })
    const proxy = await startProxy(wiki.api)
    const [reader, writer] = ['bob', 'admin'].map(
      (name) => new Client(proxy.api, { 'x-cassette-session': name })
    )
    const held = reader?.get(revisions)
    await vi.waitFor(() => expect(isHeld).toBe(false), 10_000)
    await writer?.post({ action: 'edit', title: 'X', text: 'v2', token })
    expect((await held)?.text).toContain('v2')
    expect((await reader?.get(revisions))?.text).toContain('v2')
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    const again = new Client(replay.api, { 'x-cassette-session': 'bob' })
    expect((await again.get(revisions)).text).not.toContain('v1')
  })

  it('is passed on and not recorded if writes go on all the time', async () => {
    let writes = 0
    const edit = { action: 'edit', title: 'X', token }
    const read = revisions
    let api = ''
    const wiki = await fakeWiki((params, _seen, response) => {
      if (params.get('action') === 'edit') {
        writes += 1
        return success('edit', { title: 'X', pageid: 1 })
      }
      const answer = JSON.stringify({ query: { writes } })
      const other = new Client(api, { 'x-cassette-session': 'admin' })
      void other.post({ ...edit, text: String(writes) }).then(() => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(answer)
      })
      return 'taken'
    })
    const proxy = await startProxy(wiki.api)
    api = proxy.api
    const reply = await new Client(api, { 'x-cassette-session': 'bob' }).get(read)
    expect([statusOf(reply), writes]).toEqual(['passthrough', 3])
    expect(proxy.reports.join()).toContain('other sessions were writing')
  })
})

describe('a write outside of api.php', () => {
  const rest = (origin: string, method: string, path: string): Promise<Response> =>
    fetch(`${origin}/w/rest.php/v1/${path}`, {
      method,
      body: '{"source":"2"}',
      headers: { 'content-type': 'application/json' }
    })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'by %s makes every read old, while recording and on replay',
    async (method) => {
      let writes = 0
      const seen: string[] = []
      const wiki = await fakeWiki((_params, { method: sent, target }) => {
        if (target.includes('rest.php') && sent !== 'GET') {
          seen.push(sent)
          writes += 1
          return { status: 201, body: '{"id":1}' }
        }
        return JSON.stringify({ query: { writes } })
      })
      const program = async (origin: string): Promise<readonly string[]> => {
        const client = new Client(`${origin}/w/api.php`)
        const texts: string[] = []
        const read = async (): Promise<void> => {
          texts.push((await client.get(revisions)).text)
          texts.push(await (await fetch(`${origin}/w/rest.php/v1/page/X`)).text())
        }
        await read()
        texts.push(String((await rest(origin, method, 'page/X')).status))
        await read()
        return texts
      }
      const recording = await startProxy(wiki.api)
      const live = await program(recording.origin)
      expect(live.join()).toContain('"writes":1')
      expect(seen).toEqual([method])
      await recording.close()
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      expect(await program(replay.origin)).toEqual(live)
    }
  )

  it('that is left out on replay is missed by the next ones, although its answer began a session', async () => {
    let writes = 0
    const wiki = await fakeWiki((_params, { method, target }) => {
      if (!target.includes('rest.php')) return JSON.stringify({ query: { writes } })
      if (method !== 'GET') writes += 1
      return {
        status: 200,
        body: JSON.stringify({ writes }),
        headers: {
          'set-cookie': `wiki_session=${'a'.repeat(31)}${writes}; path=/; HttpOnly`
        }
      }
    })
    const recording = await startProxy(wiki.api)
    await rest(recording.origin, 'POST', 'page')
    await rest(recording.origin, 'PUT', 'page/X')
    expect((await new Client(recording.api).get(revisions)).text).toContain('"writes":2')
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const put = await rest(replay.origin, 'PUT', 'page/X')
    expect(put.headers.get('x-cassette-status')).toBe('miss')
    expect(statusOf(await new Client(replay.api).get(revisions))).toBe('miss')
  })

  it('is none if it only converts a text', async () => {
    const wiki = await fakeWiki(() => '{"query":{}}')
    const proxy = await startProxy(wiki.api)
    await new Client(proxy.api).get(revisions)
    await rest(proxy.origin, 'POST', 'transform/wikitext/to/html')
    expect(statusOf(await new Client(proxy.api).get(revisions))).toBe('replayed')
  })

  it('has no other methods on api.php', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    expect((await fetch(proxy.api, { method: 'PUT', body: '' })).status).toBe(405)
  })
})
