/** A cassette inserted in front of a wiki whose certificate an authority of its own has signed. */
import { expect, it } from 'vitest'
import { insertCassette } from '../../src/nock/insert-cassette.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { authority, tlsWiki } from '../helpers/tls.ts'

const query = '?action=query&list=allpages&format=json'

it.each([
  ['the authority is believed with cacert', { cacert: authority }, { query: { by: 'tls' } }],
  ['any is with insecure', { insecure: true }, { query: { by: 'tls' } }],
  ['none is otherwise', {}, undefined],
])('%s', async (_, options, expected) => {
  const apiUrl = `https://127.0.0.1:${await tlsWiki('wiki')}/w/api.php`
  const root = temporaryFolder()
  const cassette = insertCassette('tape', { ...options, apiUrl, root, mode: 'once', quiet: true })
  const answer = await fetch(apiUrl + query).then(
    (reply) => reply.json(),
    () => undefined,
  )
  await cassette.eject()
  expect(answer).toEqual(expected)
})

it('a file that is no certificate is told at once', () => {
  const options = { apiUrl: 'https://wiki.test/w/api.php', root: temporaryFolder(), cacert: 'package.json' }
  expect(() => insertCassette('tape', options)).toThrow('package.json holds no certificate in PEM')
})
