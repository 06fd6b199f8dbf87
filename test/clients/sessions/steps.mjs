/** What the sessions in JavaScript share: where the wiki is, whom to log in as, and how a step is told. */

/** CLIENT_WIKI is the wiki itself, for sessions that reach it through a forward proxy. */
export const api = process.env.CLIENT_WIKI ?? process.env.WIKITAPE_API_URL ?? ''
export const [, , kind = 'read'] = process.argv
/** Items asked for at a time, of long listings and of short ones; results must not depend on them. */
export const batch = Number(process.env.CLIENT_BATCH ?? 10)
export const shortBatch = Number(process.env.CLIENT_SHORT_BATCH ?? 2)
export const user = process.env.CLIENT_USER ?? ''
export const password = process.env.CLIENT_PASSWORD ?? ''

/** Names of the only steps to be done; null for all. */
const only = JSON.parse(process.env.CLIENT_STEPS ?? 'null')

/** Does one step and prints its result, or what went wrong, as one line of JSON. */
export async function step(name, work) {
  if (only !== null && !only.includes(name)) return
  try {
    print({ step: name, result: (await work()) ?? null })
  } catch (error) {
    print({ step: name, error: String(error?.message ?? error) })
  }
}

const print = (line) => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** A page of some 10,000 characters of Cyrillic: clients send such a value in another way than a short one. */
export const longText = `'''Длинная страница'''\n\n${'Волга впадает в море & течёт + дальше.\n'.repeat(270)}`

/** The smallest PNG: one pixel. */
export const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64'
)
