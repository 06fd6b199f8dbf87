/** A host with several wikis, each with an api.php of its own, which say who they are. */
import { parseUrlencoded } from '../../src/recorder/wiki/parameters/request-params.ts'
import { description } from './fake-wiki.ts'
import { httpStandIn, type StandIn } from './upstreams.ts'

export interface Member {
  /** What `siteinfo` calls it; nothing where undefined. */
  wikiid?: string
  lang?: string
  /** True while it refuses to describe itself: too many requests. */
  busy?: boolean
}

export interface Farm extends StandIn {
  /** By the path of its api.php; may be changed while it runs, as when another wiki is started in its place. */
  readonly members: Record<string, Member>
  /** How often it was asked, less the wiki's description of itself. */
  readonly asked: () => number
}

/** Each answers with its own id, language and path. */
export async function farm(members: Record<string, Member>): Promise<Farm> {
  let asked = 0
  const standIn = await httpStandIn(({ target, body }, response) => {
    const { pathname, search } = new URL(target, 'http://farm.example')
    const member = members[pathname]
    if (member === undefined) return void response.writeHead(404).end('no wiki')
    const params = parseUrlencoded(search.slice(1) || body.toString('latin1'))
    const told = description(params)
    if (told === undefined) asked += 1
    else if (member.busy === true) return void response.writeHead(429).end('{}')
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    response.end(
      told === undefined
        ? JSON.stringify({
            batchcomplete: '',
            query: { answeredBy: { path: pathname, ...member } }
          })
        : introduced(told, member)
    )
  })
  return { ...standIn, members, asked: () => asked }
}

function introduced(told: string, { wikiid, lang }: Member): string {
  const parsed: { query?: { general: Record<string, unknown> } } = JSON.parse(told)
  if (parsed.query === undefined) return told
  const general = {
    ...parsed.query.general,
    ...(wikiid && { wikiid }),
    ...(lang && { lang })
  }
  return JSON.stringify({ query: { ...parsed.query, general } })
}
