/** States of sessions on the server, each with a time to live. */
import type { RedisFiles } from '../redis/redis-files.ts'
import { sessionScript } from '../redis/redis-scripts.ts'
import type { SessionStates } from '../store.ts'

/** Milliseconds for which a client may be silent: six hours. */
const timeToLive = 6 * 60 * 60 * 1000

export const redisSessions = ({ connection, layout }: RedisFiles): SessionStates => ({
  load: async (id) => {
    const stored = await connection.command('GETEX', [layout.session(id), 'PX', timeToLive])
    if (typeof stored !== 'string') return undefined
    const end = stored.indexOf('\n')
    return { version: Number(stored.slice(0, end)), text: stored.slice(end + 1) }
  },
  save: async (id, version, text) => {
    const args = [version - 1, `${version}\n${text}`, timeToLive]
    return Number(await connection.script(sessionScript, [layout.session(id)], args)) === 1
  },
})
