/** What the package is made of: a bill of materials (CycloneDX), out of the lockfile, and the licences in it. */
import { must, root } from '../peers/project.ts'

export interface Component {
  readonly name: string
  readonly version: string
  readonly properties?: readonly { readonly name: string }[]
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string }
    readonly expression?: string
  }[]
}

export interface Bill {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
}

/** Of what only develops, this is in the files of the package: the pages for browsers are bundled with it. */
const bundled = ['preact']

/** Everything that the lockfile names, what only develops too. */
export const wholeBill = (): Bill =>
  JSON.parse(
    must(root, 'npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'])
  ) as Bill

export const isDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => name === 'cdx:npm:package:development')

/** @returns the bill of what people install and of what is bundled */
export function shippedBill(bill: Bill): Bill {
  const { component } = bill.metadata
  return {
    ...bill,
    // npm calls it after the folder.
    metadata: { ...bill.metadata, component: { ...component, name: 'wikitape' } },
    components: bill.components.filter(
      (one) => !isDevelopment(one) || bundled.includes(one.name)
    )
  }
}

const permissive = 'MIT ISC BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 0BSD'
/** Weak copyleft: for tools, whose files reach nobody. */
const forTools = `${permissive} MPL-2.0 CC0-1.0 CC-BY-4.0 Python-2.0`

/** @returns a line for each package whose licence nobody has agreed to */
export const licenceFaults = ({ components }: Bill): readonly string[] =>
  components.flatMap((one) => {
    const isTool = isDevelopment(one) && !bundled.includes(one.name)
    const allowed = (isTool ? forTools : permissive).split(' ')
    const named = licenceOf(one)
    const isAllowed = named.split(/ OR /).some((name) => allowed.includes(name))
    return isAllowed ? [] : [`${one.name} ${one.version}: ${named || 'no licence'}`]
  })

const licenceOf = ({ licenses = [] }: Component): string =>
  licenses
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')
    .join(' AND ')
    .replace(/[()]/g, '')
