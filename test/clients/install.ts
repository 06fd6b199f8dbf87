/** Before all: the clients are there. */
import { clients, installClients, versionOf } from './clients.ts'

export function setup(): void {
  installClients()
  for (const client of clients) versionOf(client)
}
