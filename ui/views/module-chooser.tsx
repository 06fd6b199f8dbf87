/** Chooses a module of a cassette. */
import type { JSX } from 'preact'
import type { CassetteView } from '../../src/pages/views.ts'
import { number } from '../parts/format.ts'

export const ModuleChooser = ({
  folders,
  value,
  all,
  onChange
}: {
  readonly folders: CassetteView['folders']
  readonly value: string
  /** Text for no choice. */
  readonly all: string
  readonly onChange: (folder: string) => void
}): JSX.Element => (
  <label>
    Module{' '}
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{all}</option>
      {folders.map(({ name, label, interactions }) => (
        <option key={name} value={name}>
          {label} ({number(interactions)})
        </option>
      ))}
    </select>
  </label>
)
