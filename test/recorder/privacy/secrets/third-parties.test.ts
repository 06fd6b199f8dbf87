/** Private data of other people: one line at the end of a run names the modules that gave it. */
import { expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

const told = async (targets: readonly string[]): Promise<readonly string[]> => {
  const wiki = await fakeWiki((params) =>
    JSON.stringify(
      params.get('list') === 'users'
        ? { query: { users: [{ name: 'Dave', email: 'dave@museum.example' }] } }
        : { query: { x: { userinfo: { email: 'me@wiki.test' } } } }
    )
  )
  const proxy = await startProxy(wiki.api)
  for (const one of targets) await ask(proxy.origin + one)
  await proxy.close()
  return proxy.reports.filter((line) => line.includes('other people'))
}
const api = '/w/api.php?format=json&action='

it('names each module once, however often it was asked', async () => {
  const modules: readonly (readonly [string, string])[] = [
    ['abuselog', `${api}query&list=abuselog&aflprop=ids|details`],
    ['abuselogprivatedetails', `${api}abuselogprivatedetails&logid=1`],
    ['checkuser', `${api}query&list=checkuser&curequest=userips`],
    ['checkuserlog', `${api}query&list=checkuserlog`],
    ['rest.php/checkuser/', '/w/rest.php/checkuser/v0/temporaryaccount/~2026-1'],
    ['Special:CheckUser', '/wiki/Special:CheckUser/Dave'],
    ['users', `${api}query&list=users&ususers=Dave`]
  ]
  const [line = '', ...more] = await told(
    modules.flatMap(([, one]) => [one, `${one}${one.includes('?') ? '&' : '?'}more=1`])
  )
  expect(more).toEqual([])
  const named = /, by ([^;]*);/.exec(line)?.[1]?.split(', ')
  expect(named).toEqual(modules.map(([name]) => name).sort())
})

it('says nothing of what everybody may see, or of the caller', async () => {
  expect(
    await told([
      `${api}query&list=abuselog&aflprop=ids`,
      `${api}query&list=blocks`,
      `${api}query&meta=userinfo&uiprop=email`,
      '/wiki/Special:AbuseLog'
    ])
  ).toEqual([])
})
