/**
 * Files of the most common kind, read without trees: a request, and one answer in JSON that set no cookies. What they
 * say is taken apart only where somebody asks for it; of a long walk few do.
 */
import { heldTree, type Values } from '../json/held.ts'
import type { Spelling } from '../json/write.ts'
import { type CanonicalRequest, type RequestKey, requestKey, sortCanonical } from '../request/key.ts'
import type { Interaction } from './interaction.ts'
import { unsendable } from './sendable.ts'

type Texts = Readonly<Record<string, string>>

const none: ReadonlyMap<string, string> = new Map()

export class QuickInteraction implements Interaction {
  readonly #request: Texts
  readonly #response: Values
  #canonical: CanonicalRequest | undefined
  #key: RequestKey | undefined
  #responses: Interaction['responses'] | undefined

  private constructor(request: Texts, response: Values) {
    this.#request = request
    this.#response = response
  }

  /** @param file as `JSON.parse` gives it. @returns undefined for a file of any other kind */
  static read(file: Values): QuickInteraction | undefined {
    const { request, responses } = file
    const [response, second] = Array.isArray(responses) ? (responses as unknown[]) : []
    if (Object.keys(file).length !== 2 || !isTexts(request) || !isValues(response) || second !== undefined)
      return undefined
    const { headers, json, status } = response
    const members = spellingIn(response) === undefined ? 3 : 4
    const sound =
      Object.keys(response).length === members && isValues(json) && isTexts(headers) && isStatus(status)
    if (!sound || unsendable(mapOf(headers), []) !== undefined) return undefined
    return new QuickInteraction(request, response)
  }

  get request(): CanonicalRequest {
    this.#canonical ??= sortCanonical(mapOf(this.#request))
    return this.#canonical
  }

  get key(): RequestKey {
    this.#key ??= requestKey(this.request)
    return this.#key
  }

  get asked(): ReadonlyMap<string, string> {
    return none
  }

  get responses(): Interaction['responses'] {
    const { headers, json, status } = this.#response
    this.#responses ??= [
      {
        status: Number(status),
        headers: isTexts(headers) ? mapOf(headers) : none,
        cookies: [],
        body: { kind: 'json', tree: heldTree(json), spelling: spellingIn(this.#response) ?? 'utf8' },
      },
    ]
    return this.#responses
  }

  /** The parameters of its canonical request. */
  get sent(): Texts {
    return this.#request
  }

  /** What was answered with status 200; undefined for any other. */
  get answer(): Values | undefined {
    const { json, status } = this.#response
    return status === 200 && isValues(json) ? json : undefined
  }
}

/** One parameter of the canonical request of a recording. */
export const sentIn = (interaction: Interaction, name: string): string | undefined => {
  if (!(interaction instanceof QuickInteraction)) return interaction.request.get(name)
  return Object.hasOwn(interaction.sent, name) ? interaction.sent[name] : undefined
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isTexts(value: unknown): value is Texts {
  if (!isValues(value)) return false
  for (const name of Object.keys(value)) if (typeof value[name] !== 'string') return false
  return true
}

const mapOf = (texts: Texts): ReadonlyMap<string, string> => {
  const pairs = Object.entries(texts)
  return pairs.length === 0 ? none : new Map(pairs)
}

const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599

const spellingIn = ({ spelling }: Values): Spelling | undefined =>
  spelling === 'ascii' || spelling === 'utf8' ? spelling : undefined
