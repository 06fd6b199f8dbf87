/** The command line as a function: finds the verb, runs it, turns what went wrong into one message and an exit code. */
import { visibleLines } from '../report/visible.ts'
import { StoreError } from '../store/errors.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { clearLine } from './progress.ts'
import { helpText, parseGiven, type Shell, UsageError, type Verb } from './verb.ts'
import { packageVersion } from './version.ts'

/** Loaded one by one, since most of a short call goes to reading what it does not use. */
const verbs: ReadonlyMap<string, () => Promise<Verb>> = new Map([
  ['record', async () => (await import('./verbs/record.ts')).record],
  ['replay', async () => (await import('./verbs/replay.ts')).replay],
  ['exec', async () => (await import('./verbs/exec.ts')).exec],
  ['capture', async () => (await import('./verbs/capture.ts')).capture],
  ['refresh', async () => (await import('./verbs/refresh.ts')).refresh],
  ['diff', async () => (await import('./verbs/diff.ts')).diff],
  ['accept', async () => (await import('./verbs/accept.ts')).accept],
  ['ls', async () => (await import('./verbs/ls.ts')).ls],
  ['show', async () => (await import('./verbs/show.ts')).show],
  ['explain', async () => (await import('./verbs/explain.ts')).explain],
  ['coverage', async () => (await import('./verbs/coverage.ts')).coverage],
  ['check', async () => (await import('./verbs/check.ts')).check],
  ['prune', async () => (await import('./verbs/prune.ts')).prune],
  ['normalize', async () => (await import('./verbs/normalize.ts')).normalize],
  ['merge-driver', async () => (await import('./verbs/merge-driver.ts')).mergeDriver],
  ['init', async () => (await import('./verbs/init.ts')).init],
  ['import', async () => (await import('./verbs/import.ts')).importVerb],
  ['export', async () => (await import('./verbs/export.ts')).exportVerb],
])

/**
 * One call of `wikitape`. Never throws; a verb that serves runs until `shell.stopped` settles.
 * @param argv what stands behind the program's name
 * @returns the exit code: 0 fine, 1 miss or failed check, 2 usage or unreadable input, 3 upstream, 4 secret found
 */
export async function runProgram(argv: readonly string[], shell: Shell): Promise<number> {
  try {
    return await runVerb(argv, spellingOut(shell))
  } catch (error) {
    const text = visibleLines(messageOf(error))
    shell.err(shell.color ? `\u001b[31mwikitape: ${text}\u001b[0m\n` : `wikitape: ${text}\n`)
    return error instanceof UpstreamError ? 3 : 2
  }
}

/** What a wiki or a client wrote may stand in any line: no verb can forget to spell out what it hides. Bytes go as they are. */
function spellingOut(shell: Shell): Shell {
  return {
    ...shell,
    out: (text) => shell.out(typeof text === 'string' ? visibleLines(text) : text),
    err: (text) => {
      const own = text.startsWith(clearLine) ? clearLine : ''
      shell.err(own + visibleLines(text.slice(own.length)))
    },
  }
}

/** @throws UsageError, StoreError, UpstreamError */
async function runVerb(argv: readonly string[], shell: Shell): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    shell.out(await overview())
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-V') {
    shell.out(`${packageVersion()}\n`)
    return 0
  }
  const load = verbs.get(name)
  if (load === undefined) throw new UsageError(`there is no verb "${name}"; wikitape --help lists them`)
  const verb = await load()
  const given = parseGiven(verb, rest)
  if (given.on('help')) {
    shell.out(helpText(verb))
    return 0
  }
  return verb.run(given, shell)
}

async function overview(): Promise<string> {
  const all = await Promise.all([...verbs.values()].map((load) => load()))
  const width = Math.max(...all.map((verb) => verb.name.length))
  return [
    'Usage: wikitape <verb> [arguments]',
    '',
    'Record once against a live wiki, replay offline in tests.',
    '',
    ...all.map((verb) => `  ${verb.name.padEnd(width)}  ${verb.summary}`),
    '',
    'wikitape <verb> --help tells more. First steps:',
    '  wikitape record https://ru.wikipedia.org/w/api.php --cassette cassettes/mine',
    '  wikitape replay --cassette cassettes/mine',
    '',
  ].join('\n')
}

/** What is no error of ours is a bug: its stack says where. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof StoreError || error instanceof UpstreamError)
    return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
