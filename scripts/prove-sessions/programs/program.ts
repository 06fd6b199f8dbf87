/** A program: what clients send, one step after the other. Values such as `{csrf}` are filled in from earlier answers. */
import type { Trouble } from '../wiki/gate.ts'

export interface Step {
  /** Its place in the whole program, kept when others are left out: the wiki's clock shows it. */
  readonly at: number
  /** Which client sends it. */
  readonly who: number
  /** For tables: the module, or what kind of read. */
  readonly what: string
  readonly send: Sent
  /** It may change the wiki. */
  readonly writes: boolean
  readonly trouble?: Trouble
}

export type Sent =
  | { readonly by: 'get' | 'post'; readonly params: Params }
  /** A POST with a file. */
  | {
      readonly by: 'file'
      readonly params: Params
      readonly file: { readonly name: string; readonly bytes: string }
    }
  /** Something else under the wiki's address. */
  | {
      readonly by: 'path'
      readonly method: string
      readonly target: string
      readonly json?: string
    }
  /** The client forgets, or changes, its cookies: nothing is sent. */
  | { readonly by: 'cookies'; readonly set: Params | 'none' }
  /** wikitape is stopped and started again on the same cassette; all clients have lost their cookies. */
  | { readonly by: 'restart' }

export type Params = Readonly<Record<string, string>>

export interface Program {
  readonly name: string
  readonly steps: readonly Step[]
  readonly temporaryAccounts?: boolean
}

const tells = (sent: Sent): string => {
  switch (sent.by) {
    case 'get':
    case 'post':
      return `${sent.by === 'get' ? 'GET' : 'POST'} ${shown(sent.params)}`
    case 'file':
      return `POST ${shown(sent.params)} with ${sent.file.name}`
    case 'path':
      return `${sent.method} ${sent.target}${sent.json === undefined ? '' : ` ${sent.json}`}`
    case 'cookies':
      return sent.set === 'none'
        ? 'forgets its cookies'
        : `has the cookies ${JSON.stringify(sent.set)}`
    case 'restart':
      return 'wikitape is started again'
  }
}

const shown = (params: Params): string =>
  Object.entries(params)
    .filter(([name]) => name !== 'format' && name !== 'formatversion')
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

const clientNames = 'ABCDEFGH'

export const describeStep = ({ at, who, send, trouble }: Step): string =>
  `${String(at).padStart(3)} ${clientNames[who]}: ${tells(send)}${trouble === undefined ? '' : ` [answer ${trouble}]`}`

/** Only steps that write files make a reset of the wiki long. */
export const writesFiles = ({ steps }: Program): boolean =>
  steps.some(({ what }) => /upload|filerevert|move|delete|import/.test(what))
