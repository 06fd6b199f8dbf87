/** Variables for programs, as the lines of a shell or of a file of settings. */
import type { EnvironmentVariables } from '../../recorder/upstream/connection/connection-options.ts'
import forms from './line-forms.json' with { type: 'json' }

type LineForm = keyof typeof forms

export const lineForms = Object.keys(forms) as readonly LineForm[]

/** @param variables those that are undefined must not be set */
export function environmentLines(
  variables: EnvironmentVariables,
  form: LineForm
): string {
  // In compose and kubernetes a dollar sign would name a variable of their own.
  const { head, set, unset, special, escaped, isJson } = forms[form]
  const lines = Object.entries(variables).map(([name, value]) => {
    const line = (value === undefined ? unset : set).replace('NAME', name)
    const text = isJson ? JSON.stringify(value) : value
    return line.replace('VALUE', () =>
      String(text).replace(new RegExp(special, 'g'), escaped)
    )
  })
  return [head, ...lines, ''].join('\n').replace(/^\n/, '')
}
