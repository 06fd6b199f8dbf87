/** What tests and scripts may know of the lab: which wikis there are, where they answer, who has an account. */

export const labVersions = ['1.35', '1.39', '1.43'] as const
export type LabVersion = (typeof labVersions)[number]

/** Pages and files are made in this order, or backwards: same content, other page and revision ids. */
export type PageOrder = 'natural' | 'reversed'

export interface LabAccount {
  readonly name: string
  readonly password: string
  readonly groups: readonly string[]
  /** `Name@app` and its password, for a login that grants only what a bot needs. */
  readonly bot?: { readonly name: string; readonly password: string }
}

const password = 'lab-Passw0rd-42'

/** The accounts that can log in; the lab has some fifty more without a password. */
export const labAccounts: {
  readonly admin: LabAccount
  readonly bob: LabAccount
  readonly alice: LabAccount
  readonly bot: LabAccount
} = {
  admin: { name: 'Admin', password, groups: ['sysop', 'bureaucrat', 'interface-admin'] },
  bob: { name: 'Bob', password, groups: [] },
  alice: { name: 'Алиса', password, groups: [] },
  bot: {
    name: 'Автомат',
    password,
    groups: ['bot'],
    bot: { name: 'Автомат@lab', password: 'abcdefghijklmnopqrstuv0123456789' }
  }
}

const defaultPortBase = 8100

/** The lab in reversed order serves beside the other: 8235, 8239, 8243. */
const reversedPortOffset = 100

/** The port of a wiki: 8135, 8139, 8143, unless the base (WIKITAPE_LAB_PORT_BASE) is another than 8100. */
export function labPort(version: LabVersion, portBase: number = labPortBase()): number {
  return portBase + Number(version.split('.')[1])
}

export function labPortBase(
  order: PageOrder = 'natural',
  environment: NodeJS.ProcessEnv = process.env
): number {
  const named = Number(environment['WIKITAPE_LAB_PORT_BASE'] ?? defaultPortBase)
  const base =
    Number.isInteger(named) && named > 0 && named < 65_000 ? named : defaultPortBase
  return order === 'reversed' ? base + reversedPortOffset : base
}

/** Where a wiki answers; for the one in reversed order: `labUrl(version, labPortBase('reversed'))`. */
export function labUrl(version: LabVersion, portBase: number = labPortBase()): string {
  return `http://127.0.0.1:${labPort(version, portBase)}/w/api.php`
}

/** The MediaWiki version that answers at an api.php (such as `1.43.9`), or undefined when no wiki answers in time. */
export async function wikiAnswering(apiUrl: string): Promise<string | undefined> {
  try {
    const query = 'action=query&meta=siteinfo&siprop=general&format=json'
    const response = await fetch(`${apiUrl}?${query}`, {
      signal: AbortSignal.timeout(60_000)
    })
    const generator = /"generator":"MediaWiki ([^"]+)"/.exec(await response.text())
    return generator?.[1]
  } catch {
    return undefined
  }
}

/** The lab's wikis that answer now: a test that needs one asks here and skips with a word when it is missing. */
export async function labWikisAnswering(): Promise<readonly LabVersion[]> {
  const found = await Promise.all(
    labVersions.map(async (version) =>
      (await wikiAnswering(labUrl(version))) ? version : undefined
    )
  )
  return found.filter((version) => version !== undefined)
}
