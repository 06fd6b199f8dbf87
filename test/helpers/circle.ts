/** A recorded walk that comes back to where it was. */
import path from 'node:path'
import { fakeWiki } from './fake-wiki.ts'
import { temporaryFolder } from './folders.ts'
import { ask } from './http-client.ts'
import { startProxy } from './proxies.ts'

/** Two recorded batches that lead to each other, as a wiki that changed in between may leave them, and what was asked for them. */
export async function circle(): Promise<{
  cassette: string
  targets: readonly string[]
}> {
  const wiki = await fakeWiki((params) => {
    const next = params.get('apcontinue') === 'Page_K' ? 'Page_B' : 'Page_K'
    return JSON.stringify({
      batchcomplete: '',
      continue: { apcontinue: next, continue: '-||' },
      query: { allpages: [{ pageid: 1, ns: 0, title: `Page ${next}` }] }
    })
  })
  const recording = await startProxy(wiki.api, {
    cassette: path.join(temporaryFolder(), 'tape')
  })
  const places = [
    '&continue=',
    '&apcontinue=Page_K&continue=-%7C%7C',
    '&apcontinue=Page_B&continue=-%7C%7C'
  ]
  const targets = places.map(
    (place) => `/w/api.php?action=query&format=json&list=allpages&aplimit=10${place}`
  )
  for (const target of targets) await ask(recording.origin, { target })
  await recording.close()
  return { cassette: recording.cassette, targets }
}
