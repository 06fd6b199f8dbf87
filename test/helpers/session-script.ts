/** What one client does from its first request to its last. */
import type { HttpReply } from './http-client.ts'
import type { Client } from './stateful-wiki.ts'

export type Script = (client: Client) => Promise<readonly HttpReply[]>

/** Logs in, writes, reads back and leaves; a wrong password, a refused write and things done twice are among it. */
export const loginEditRead: Script = async (client) => [
  await client.whoami(),
  await client.login('Bob', 'wrong'),
  await client.login('Bob'),
  await client.whoami(),
  await client.read('Волга'),
  await client.post({ action: 'edit', title: 'Волга', text: 'one', token: '+\\' }),
  await client.edit('Волга', 'one'),
  await client.read('Волга'),
  await client.edit('Волга', 'two'),
  await client.read('Волга'),
  await client.read('Волга'),
  await client.edit('Волга', 'two'),
  await client.post({ action: 'logout', token: await client.token('csrf') }),
  await client.whoami()
]
