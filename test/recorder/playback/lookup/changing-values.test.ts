/** Which differences look like a clock or a random value. */
import { expect, it } from 'vitest'
import { changingKind } from '../../../../src/recorder/playback/lookup/changing-values.ts'

const kindOf = (recorded: string | undefined, got: string | undefined) =>
  changingKind([{ recorded, got }])

it.each([
  ['text of 1732861450123', 'text of 1732861460123', 'a clock'],
  ['20261129072413', '20261129072500', 'a clock'],
  ['2026-11-29T07:24:13Z', '2026-11-30T08:00:00Z', 'a clock'],
  ['Page k3j9x0a2bq', 'Page 0zq81mm4p7', 'a random value'],
  [
    'a 0f8fad5b-d9cb-469f-a165-70867728950e',
    'a 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    'a random value'
  ],
  ['0.7381239', '0.1238123', 'a random value'],
  ['Q12345678', 'Q87654321', undefined],
  ['Volga', 'Don', undefined],
  ['5', '10', undefined],
  [undefined, '1732861450123', undefined],
  ['1732861450123', undefined, undefined]
])('%s and %s: %s', (recorded, got, kind) => {
  expect(kindOf(recorded, got)).toBe(kind)
})

it('is neither if anything else differs', () => {
  const differences = [
    { recorded: '1732861450123', got: '1732861460123' },
    { recorded: 'A', got: 'B' }
  ]
  expect(changingKind(differences)).toBeUndefined()
})
