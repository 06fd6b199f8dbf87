/** Parameters that an action reads and does not list (`reads-unlisted`, `describes-query` in knowledge/data/module-quirks.json). */
import { hasQuirk, quirkNames } from '../../knowledge/module-quirks.ts'
import type { Params } from './request-params.ts'

export function isReadUnlisted(name: string, params: Params): boolean {
  const action = params.get('action') ?? 'help'
  const isRead = (quirk: 'reads-unlisted' | 'describes-query') =>
    hasQuirk(quirk, action) && quirkNames(quirk).includes(name)
  return (
    isRead('reads-unlisted') ||
    (isRead('describes-query') && describesQuery(action, params))
  )
}

/** `help` describes more than it names. */
const describesQuery = (action: string, params: Params) =>
  action === 'help' || /query(?!\+)|\*/.test(params.get('modules') ?? '')
