/** The bill of materials of a release, and the licences that it may name. */
import { describe, expect, it } from 'vitest'
import {
  type Component,
  licenceFaults,
  shippedBill,
  wholeBill
} from '../scripts/release/bill-of-materials.ts'

const bill = wholeBill()

describe('the bill of materials', () => {
  it('names what people install and what is bundled, and no tool', () => {
    const { components, metadata } = shippedBill(bill)
    const names = components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['express', 'yaml', 'preact']))
    expect(names).not.toContain('vitest')
    expect(metadata.component.name).toBe('wikitape')
  })

  it('names only licences that somebody has agreed to', () => {
    expect(licenceFaults(bill)).toEqual([])
  })

  it.each([
    ['GPL-3.0-only', ['x 1: GPL-3.0-only']],
    ['', ['x 1: no licence']],
    ['MPL-2.0', ['x 1: MPL-2.0']],
    ['(MIT OR GPL-3.0-only)', []]
  ])('an installed package under %j', (expression, faults) => {
    const one: Component = { name: 'x', version: '1', licenses: [{ expression }] }
    expect(licenceFaults({ ...bill, components: [one] })).toEqual(faults)
  })

  it('a tool may have a weak copyleft', () => {
    const properties = [{ name: 'cdx:npm:package:development' }]
    const licenses = [{ license: { id: 'MPL-2.0' } }]
    const one: Component = { name: 'x', version: '1', properties, licenses }
    expect(licenceFaults({ ...bill, components: [one] })).toEqual([])
  })
})
