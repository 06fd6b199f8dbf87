/** `node again.mjs SESSION KIND ROUNDS`: a session of test/clients several times in one process. */
import { pathToFileURL } from 'node:url'

const [, , session = '', kind = '', rounds = '1'] = process.argv
process.argv = [process.argv[0] ?? '', session, kind]
for (let round = 0; round < Number(rounds); round += 1)
  await import(`${pathToFileURL(session).href}?round=${round}`)
