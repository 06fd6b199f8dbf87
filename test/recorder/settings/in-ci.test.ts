/** Which values of `CI` mean continuous integration. */
import { describe, expect, it } from 'vitest'
import { chooseMode, isInCi } from '../../../src/recorder/settings/choose-mode.ts'

describe('CI', () => {
  it.each(['true', '1', 'True', 'yes', 'woodpecker'])(
    '%j is continuous integration',
    (value) => {
      expect(isInCi({ CI: value })).toBe(true)
      expect(() => chooseMode({ mode: 'all' }, { CI: value }, { usual: 'once' })).toThrow(
        'may send requests'
      )
    }
  )

  it.each([undefined, '', '0', 'false', 'False', 'no'])('%j is none', (value) => {
    expect(isInCi({ CI: value })).toBe(false)
    expect(chooseMode({ mode: 'all' }, { CI: value }, { usual: 'once' })).toBe('all')
  })
})
