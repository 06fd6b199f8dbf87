/** `npm run demo`: a recorded wiki answers offline; three questions, one miss, and what to type for a wiki of your own. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))
const cassette = 'cassettes/ru-1.43'

const questions: readonly (readonly [about: string, query: string])[] = [
  [
    'A listing, recorded',
    'action=query&list=allpages&apfrom=B&format=json&formatversion=2'
  ],
  [
    'The same request as the recorded one, though other parameters come first and a default is spelled out',
    'format=json&aplimit=10&apfrom=B&list=allpages&action=query&formatversion=2'
  ],
  [
    'A page that does not exist, in the older format version',
    'action=query&prop=images&titles=Albert_Einstein&format=json'
  ]
]
const missed = 'action=query&list=allusers&auprefix=Z&format=json&formatversion=2'

const color = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
const bold = (text: string): string => (color ? `\u001b[1m${text}\u001b[0m` : text)
const dim = (text: string): string => (color ? `\u001b[2m${text}\u001b[0m` : text)

function readable(body: string): string {
  const lines = JSON.stringify(JSON.parse(body), null, 2).split('\n')
  return lines.length > 14
    ? `${lines.slice(0, 12).join('\n')}\n  … ${lines.length - 12} more lines`
    : lines.join('\n')
}

async function ask(api: string, about: string, query: string): Promise<void> {
  const response = await fetch(`${api}?${query}`)
  console.log(`\n${bold(about)}`)
  console.log(`$ curl -i '${api}?${query}'`)
  console.log(dim(`HTTP/1.1 ${response.status}`))
  for (const name of [
    'content-type',
    'mediawiki-api-error',
    'x-cassette-status',
    'x-cassette-key'
  ]) {
    const value = response.headers.get(name)
    if (value !== null) console.log(dim(`${name}: ${value}`))
  }
  console.log(readable(await response.text()))
}

/** Starts `wikitape replay` as a user would, and gives the address from its first line. */
async function startReplay(): Promise<{ readonly api: string; stop(): Promise<void> }> {
  const child = spawn(
    process.execPath,
    [program, 'replay', '--cassette', cassette, '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for await (const line of createInterface(child.stdout)) {
    console.log(`$ wikitape replay --cassette ${cassette} --port 0\n${line}`)
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM')
      await ended
    }
    return { api: line.slice(line.lastIndexOf(' ') + 1), stop }
  }
  throw new Error(`wikitape replay ended at once; is ${cassette} there?`)
}

const { api, stop } = await startReplay()
for (const [about, query] of questions) await ask(api, about, query)
await ask(
  api,
  'Something that nobody recorded: a miss says why, and how to record it',
  missed
)
console.log(`\n${bold('At the end, replay says what happened:')}`)
await stop()
console.log(`
${bold('Now your own wiki')} (any api.php that you may read):
  npx wikitape record https://ru.wikipedia.org/w/api.php --cassette cassettes/mine
then point your client at http://127.0.0.1:4050/w/api.php, stop with Ctrl-C, and go offline:
  npx wikitape replay --cassette cassettes/mine`)
