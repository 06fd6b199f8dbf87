/** The data of all flags: each line is read, and values that the code compares are those that it knows. */
import { expect, it } from 'vitest'
import { commandNames } from '../../../src/cli/args/command.ts'
import lists from '../../../src/cli/args/flags.json' with { type: 'json' }
import { flagsIn, flagsOf } from '../../../src/cli/args/flags.ts'
import { driftFormats } from '../../../src/cli/commands/compare/diff-command.ts'
import { lineForms } from '../../../src/cli/intercept/environment-lines.ts'
import { failOnValues } from '../../../src/drift/findings/fail-on.ts'
import { reviewFormats } from '../../../src/drift/report/formats/review-report.ts'
import { detailLevels } from '../../../src/drift/report/terminal/terminal-report.ts'
import { defaultMissStatus } from '../../../src/recorder/engine/engine-options.ts'
import { missPolicies, modes } from '../../../src/recorder/playback/decide.ts'
import { troubleKinds } from '../../../src/recorder/playback/trouble.ts'
import { reviewSeverities } from '../../../src/review/rules.ts'
import { formatWriters } from '../../../src/transfer/formats/formats.ts'

const named: readonly string[] = Object.values(lists).flat()
const flagOf = (command: string, name: string) =>
  flagsOf({ name: command }).find((flag) => flag.name === name)

it('every list is a command, or a part of others; every part is a list', () => {
  const parts = named.filter((line) => line.startsWith('@'))
  const known = [...commandNames, ...parts, '@help']
  expect(Object.keys(lists).filter((name) => !known.includes(name))).toEqual([])
  expect(parts.filter((part) => !(part in lists))).toEqual([])
  expect(commandNames.filter((name) => !(name in lists))).toEqual([])
})

it.each(Object.keys(lists))('%s: each flag has a name and a help', (list) => {
  for (const { name, help } of flagsIn(list)) {
    expect(name).not.toBe('')
    expect(help).not.toBe('')
  }
})

it.each([
  ['record', 'mode', modes],
  ['replay', 'on-miss', missPolicies],
  ['diff', 'format', driftFormats],
  ['diff', 'fail-on', failOnValues],
  ['diff', 'show', detailLevels],
  ['review', 'format', reviewFormats],
  ['review', 'fail-on', [...reviewSeverities, 'none']],
  ['record', 'lines', lineForms]
])('%s --%s has the values that the code knows', (command, name, values) => {
  expect(flagOf(command, name)?.choices).toEqual(values)
})

it('help names what the code has: trouble, formats of export, the status of a miss', () => {
  expect(flagOf('replay', 'trouble')?.help).toContain(`: ${troubleKinds.join(', ')};`)
  const formats = formatWriters.map(({ name }) => name).join(', ')
  expect(flagOf('export', 'to')?.help).toBe(formats)
  expect(flagOf('replay', 'miss-status')?.help).toContain(`default ${defaultMissStatus}:`)
})
