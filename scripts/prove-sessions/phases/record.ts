/** A program recorded: each answer is what the wiki has just said, or what it says when it is asked the same at once. */

import type { HttpReply } from '../../../test/helpers/http-client.ts'
import { type Program, type Step, writesFiles } from '../programs/program.ts'
import { clockOf } from '../wiki/wiki.ts'
import { Clients, type Said } from './client.ts'
import { Comparison } from './compare.ts'
import type { Bench, Fault } from './lab-run.ts'

export interface Recorded {
  /** What the client got, by step. */
  readonly answers: ReadonlyMap<
    number,
    { readonly status: number; readonly text: string }
  >
  readonly faults: readonly Fault[]
  readonly compared: number
  /** Requests that reached the wiki, and those that clients sent. */
  readonly atWiki: number
  readonly sent: number
}

type Serving = Awaited<ReturnType<Bench['wikitape']['startRecording']>>

export class Recording {
  readonly #bench: Bench
  readonly #program: Program
  readonly #tape: string
  readonly #answers = new Map<
    number,
    { readonly status: number; readonly text: string }
  >()
  readonly #faults: Fault[] = []
  #compared = 0
  #atWiki = 0
  #sent = 0
  #serving: Serving | undefined
  #clients = new Clients('')
  #pending: { readonly step: Step; readonly said: Promise<Said> } | undefined

  constructor(bench: Bench, program: Program, tape: string) {
    this.#bench = bench
    this.#program = program
    this.#tape = tape
  }

  async run(): Promise<Recorded> {
    const { wiki, gate } = this.#bench
    wiki.reset(writesFiles(this.#program))
    if (this.#program.temporaryAccounts) wiki.allowTemporaryAccounts()
    await this.#start()
    gate.taken()
    for (const step of this.#program.steps) {
      wiki.setClock(clockOf(step.at))
      if (await this.#take(step)) continue
      break
    }
    await this.#settle()
    await this.#serving?.close()
    const { faults, compared, atWiki, sent } = {
      faults: this.#faults,
      compared: this.#compared,
      atWiki: this.#atWiki,
      sent: this.#sent
    }
    return { answers: this.#answers, faults, compared, atWiki, sent }
  }

  async #start(): Promise<void> {
    const { gate, wikitape } = this.#bench
    await this.#serving?.close()
    const apiUrl = `${gate.origin}/w/api.php`
    this.#serving = await wikitape.startRecording({
      apiUrl,
      cassette: this.#tape,
      allowLive: true
    })
    const origin = new URL(this.#serving.apiUrl).origin
    this.#clients = new Clients(origin)
  }

  /** False where the rest would show nothing: the wiki is no longer in the state that clients know of. */
  async #take(step: Step): Promise<boolean> {
    if (step.send.by === 'restart') {
      await this.#settle()
      await this.#start()
      return true
    }
    if (step.trouble !== undefined) {
      await this.#troubled(step)
      return true
    }
    this.#sent += 1
    const sent = this.#clients.send(step)
    const late = setTimeout(() => this.#bench.gate.release(), 15_000)
    const said = await sent
    clearTimeout(late)
    const goesOn = await this.#judge(step, said)
    if (step.writes) await this.#settle()
    return goesOn
  }

  async #judge(step: Step, said: Said): Promise<boolean> {
    const passed = this.#bench.gate.taken()
    this.#atWiki += passed.length
    if (said.kind === 'unsent') return true
    if (said.kind === 'failed') {
      this.#faults.push({
        phase: 'recording',
        at: step.at,
        what: step.what,
        detail: `no answer: ${said.why}`
      })
      return true
    }
    const { status, text } = said.reply
    this.#answers.set(step.at, { status, text })
    if (isPage(step) || isRefused(said.reply)) return true
    this.#compared += 1
    if (passed.some((one) => one.body === text && one.status === status)) return true
    const truth = await this.#clients.send(step, { origin: this.#bench.gate.origin })
    this.#bench.gate.taken()
    if (truth.kind !== 'answer') return true
    const difference =
      truth.reply.status === status
        ? new Comparison(new Map(), {}).difference(text, truth.reply.text)
        : `status ${status} ≠ the wiki's ${truth.reply.status}`
    if (difference === undefined) return true
    const by = String(said.reply.headers['x-cassette-status'])
    this.#faults.push({
      phase: 'recording',
      at: step.at,
      what: step.what,
      detail: `${by}: ${difference}`
    })
    return !step.writes
  }

  async #troubled(step: Step): Promise<void> {
    const { gate } = this.#bench
    const { trouble } = step
    if (trouble === undefined) return
    const caught = gate.next(trouble, (target, body) => isRequestOf(step, target, body))
    const leaving = new AbortController()
    this.#sent += 1
    const said = this.#clients.send(
      step,
      trouble === 'left' ? { signal: leaving.signal } : {}
    )
    await Promise.race([
      caught,
      said,
      new Promise((settle) => setTimeout(settle, 20_000))
    ])
    if (trouble === 'held') {
      this.#pending = { step, said }
      return
    }
    leaving.abort()
    await said
    const done = trouble === 'left' ? gate.done() : Promise.resolve()
    await new Promise((settle) => setTimeout(settle, 50))
    gate.release()
    await Promise.race([done, new Promise((settle) => setTimeout(settle, 20_000))])
    await new Promise((settle) => setTimeout(settle, 50))
    this.#atWiki += gate.taken().length
  }

  /** Lets a held answer go on. */
  async #settle(): Promise<void> {
    const pending = this.#pending
    if (pending === undefined) return
    this.#pending = undefined
    this.#bench.gate.release()
    const said = await pending.said
    this.#bench.gate.taken()
    if (said.kind === 'answer')
      this.#answers.set(pending.step.at, {
        status: said.reply.status,
        text: said.reply.text
      })
  }
}

/** wikitape takes no such request, and says so: a method that it does not pass on. */
export const isRefused = ({ status, headers }: HttpReply): boolean =>
  status === 405 && headers['x-cassette-status'] === undefined

/** HTML has times and numbers of its own in it; what it changes is seen in what is read. */
export const isPage = ({ send }: Step): boolean =>
  send.by === 'path' && send.target.startsWith('/w/index.php')

function isRequestOf({ send }: Step, target: string, body: string): boolean {
  if (send.by === 'path') return target === send.target
  if (send.by !== 'get' && send.by !== 'post') return false
  const asked = new URLSearchParams(
    send.by === 'get' ? new URL(target, 'http://wiki').search : body
  )
  return Object.entries(send.params).every(
    ([name, value]) => /\{/.test(value) || asked.get(name) === value
  )
}
