/** What a cassette holds, as a client asks for it. */
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { writeQuery } from '../../src/recorder/wiki/parameters/request-params.ts'

const api = '/w/api.php'

/** Everything that a cassette holds, as requests: each answer of a sequence once. */
export function recordedIn(cassette: string): readonly string[] {
  const store = CassetteStore.open(cassette)
  return [...store.paths()].flatMap(([key]) => {
    const found = store.get(key)
    if (found.kind !== 'found') throw new Error(`${key} is ${found.kind}`)
    const { request, sentValues: asked, responses } = found.interaction
    const target = request.get('plain target')
    if (target !== undefined) return responses.map(() => target)
    const asSent = [...request].map(
      ([param, value]) => [param, asked.get(param) ?? value] as const
    )
    const params = new Map([
      ...asSent.filter(([param]) => !param.includes(' ')),
      ['format', 'json']
    ])
    return responses.map(() => `${api}?${writeQuery(params)}`)
  })
}
