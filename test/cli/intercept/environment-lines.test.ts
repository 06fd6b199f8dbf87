/** Variables whose values have signs that a form reads as its own. */
import { expect, it } from 'vitest'
import { environmentLines } from '../../../src/cli/intercept/environment-lines.ts'

const variables = { A: `it's $x $(y) \\ "q" VALUE`, B: undefined }

it.each([
  ['sh', `export A='it'\\''s $x $(y) \\ "q" VALUE'\nunset B\n`],
  ['fish', `set -gx A 'it\\'s $x $(y) \\\\ "q" VALUE'\nset -e B\n`],
  [
    'powershell',
    `$env:A = 'it''s $x $(y) \\ "q" VALUE'\nRemove-Item Env:B -ErrorAction SilentlyContinue\n`
  ],
  [
    'compose',
    `    environment:\n      A: "it's $$x $$(y) \\\\ \\"q\\" VALUE"\n      B: ""\n`
  ],
  [
    'github',
    `echo 'A=it'\\''s $x $(y) \\ "q" VALUE' >> "$GITHUB_ENV"\necho 'B=' >> "$GITHUB_ENV"\n`
  ],
  [
    'kubernetes',
    `          env:\n            - { name: A, value: "it's $x $$(y) \\\\ \\"q\\" VALUE" }\n            - { name: B, value: "" }\n`
  ]
] as const)('are written for %s', (form, lines) => {
  expect(environmentLines(variables, form)).toBe(lines)
})
