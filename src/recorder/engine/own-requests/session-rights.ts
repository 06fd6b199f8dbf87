/** The rights of a session, which may be fewer than its user's: of a bot password, of an OAuth consumer. */
import {
  itemsOf,
  type JsonTree,
  memberAt,
  memberOf,
  textOf
} from '../../json/json-tree.ts'
import type { Identity } from '../../request/api-request.ts'
import { digest } from '../../request/request-key.ts'

/** Asks for the caller's rights, and for those of its groups. */
export const rightsParams = {
  action: 'query',
  meta: 'userinfo|siteinfo',
  uiprop: 'groups|rights',
  siprop: 'usergroups'
} as const

/** The identity of a session with all rights of its user is the user's; else it names the rights, by a digest. */
export function withRights(user: Identity, answer: JsonTree | undefined): Identity {
  const info = memberAt(answer, 'query', 'userinfo')
  const rights = new Set(textsIn(memberOf(info, 'rights')))
  const groups = new Set(textsIn(memberOf(info, 'groups')))
  const ofGroups = itemsOf(memberAt(answer, 'query', 'usergroups'))
    .filter((group) => groups.has(textOf(memberOf(group, 'name')) ?? ''))
    .flatMap((group) => textsIn(memberOf(group, 'rights')))
  if (ofGroups.every((right) => rights.has(right))) return user
  return `${user} [rights ${digest([...rights].sort().join(' '), 8)}]` as Identity
}

const textsIn = (tree: JsonTree | undefined) =>
  itemsOf(tree).flatMap((one) => textOf(one) ?? [])
