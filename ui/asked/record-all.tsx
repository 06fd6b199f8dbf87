/** All misses that `capture` can record: as one command for each cassette, and as lines for `--requests`. */
import type { JSX } from 'preact'
import type { MissView } from '../../src/pages/views.ts'
import { Command } from '../parts/command.tsx'

export function RecordAll({
  misses
}: {
  readonly misses: readonly MissView[]
}): JSX.Element | null {
  const commands = new Map<string, Set<string>>()
  for (const { line, command, recorded } of misses) {
    if (line === '' || recorded) continue
    // What follows the line of this miss is the same for all of its cassette.
    const capture = command.slice(command.indexOf(' | ') + 3).replace(/ --follow$/, '')
    commands.set(capture, (commands.get(capture) ?? new Set()).add(line))
  }
  const count = [...commands.values()].reduce((sum, lines) => sum + lines.size, 0)
  if (count < 2) return null
  return (
    <details class="pad">
      <summary>Record {count} of them at once</summary>
      {[...commands].map(([capture, lines]) => (
        <div key={capture}>
          <Command>{`printf '%s\\n' ${[...lines].map((line) => `'${line}'`).join(' ')} | ${capture}`}</Command>
          <p class="quiet">or as lines of a file for --requests:</p>
          <Command>{[...lines].join('\n')}</Command>
        </div>
      ))}
    </details>
  )
}
