/** Writes a program step by step. */
import { labAccounts } from '../../wiki/lab.ts'
import type { Trouble } from '../wiki/gate.ts'
import type { Params, Program, Sent, Step } from './program.ts'
import { readOf, routeOf } from './reads.ts'

export type Way = 'login' | 'clientlogin' | 'bot'

export const password: string = labAccounts.bob.password
const botPassword = 'abcdefghijklmnopqrstuv0123456789'

/** Questions by POST, which change nothing. */
const onlyReads = new Set([
  'query',
  'parse',
  'checktoken',
  'compare',
  'expandtemplates',
  'opensearch',
  'discussiontoolspageinfo'
])

export class Script {
  readonly #name: string
  readonly #steps: Step[] = []
  #temporaryAccounts = false

  constructor(name: string) {
    this.#name = name
  }

  get program(): Program {
    const program = { name: this.#name, steps: this.#steps }
    return this.#temporaryAccounts ? { ...program, temporaryAccounts: true } : program
  }

  get length(): number {
    return this.#steps.length
  }

  withTemporaryAccounts(): this {
    this.#temporaryAccounts = true
    return this
  }

  login(
    who: number,
    name: string,
    way: Way = 'login',
    word: string = way === 'bot' ? botPassword : password,
    tokens: 'keeps its tokens' | 'gets tokens' = 'gets tokens'
  ): this {
    this.#tokens(who, 'login')
    const user = way === 'bot' ? `${name}@lab` : name
    const params: Params =
      way === 'clientlogin'
        ? {
            action: 'clientlogin',
            username: user,
            password: word,
            loginreturnurl: 'http://127.0.0.1/',
            logintoken: '{login}'
          }
        : { action: 'login', lgname: user, lgpassword: word, lgtoken: '{login}' }
    this.post(who, params)
    return tokens === 'gets tokens' ? this.tokens(who) : this
  }

  logout(who: number): this {
    return this.post(who, { action: 'logout', token: '{csrf}' })
  }

  tokens(who: number): this {
    return this.#tokens(who, 'csrf|watch|patrol|rollback|userrights|createaccount')
  }

  read(
    who: number,
    name: string,
    {
      title = 'Prove A',
      user = 'Bob',
      trouble
    }: { title?: string; user?: string; trouble?: Trouble } = {}
  ): this {
    const target = routeOf(name, title)
    return this.#add(
      who,
      name,
      target === undefined
        ? { by: 'get', params: readOf(name, title, user) }
        : { by: 'path', method: 'GET', target },
      { writes: false, trouble }
    )
  }

  post(who: number, params: Params, trouble?: Trouble): this {
    const action = params['action'] ?? ''
    const send: Sent = {
      by: 'post',
      params: { ...params, format: 'json', formatversion: '2' }
    }
    return this.#add(who, action, send, { writes: !onlyReads.has(action), trouble })
  }

  edit(
    who: number,
    title: string,
    text: string,
    more: Params = {},
    trouble?: Trouble
  ): this {
    return this.post(
      who,
      { action: 'edit', title, text, ...more, token: '{csrf}' },
      trouble
    )
  }

  file(who: number, params: Params, bytes: string, name = 'file'): this {
    const send: Sent = {
      by: 'file',
      params: { ...params, format: 'json', formatversion: '2' },
      file: { name, bytes }
    }
    return this.#add(who, params['action'] ?? '', send, {
      writes: true,
      trouble: undefined
    })
  }

  path(who: number, method: string, target: string, json?: string): this {
    const what = target.startsWith('/w/rest') ? `rest-${method}` : 'index.php'
    const send: Sent = {
      by: 'path',
      method,
      target,
      ...(json === undefined ? {} : { json })
    }
    return this.#add(who, what, send, {
      writes: method !== 'GET' || what === 'index.php',
      trouble: undefined
    })
  }

  cookies(who: number, set: Params | 'none'): this {
    return this.#add(
      who,
      'cookies',
      { by: 'cookies', set },
      { writes: false, trouble: undefined }
    )
  }

  restart(): this {
    return this.#add(
      0,
      'restart',
      { by: 'restart' },
      { writes: false, trouble: undefined }
    )
  }

  #tokens(who: number, type: string): this {
    const params = {
      action: 'query',
      meta: 'tokens',
      type,
      format: 'json',
      formatversion: '2'
    }
    return this.#add(
      who,
      'tokens',
      { by: 'get', params },
      { writes: false, trouble: undefined }
    )
  }

  #add(
    who: number,
    what: string,
    send: Sent,
    { writes, trouble }: { writes: boolean; trouble: Trouble | undefined }
  ): this {
    const step = { at: this.#steps.length, who, what, send, writes }
    this.#steps.push(trouble === undefined ? step : { ...step, trouble })
    return this
  }
}
