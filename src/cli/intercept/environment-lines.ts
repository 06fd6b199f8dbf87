/** Variables for programs, as the lines of a shell or of a file of settings. */
import type { EnvironmentVariables } from '../../recorder/upstream/connection/connection-options.ts'
import type { lineForms } from '../flags/server-flags.ts'

type LineForm = (typeof lineForms)[number]

/** @param variables those that are undefined must not be set */
export function environmentLines(
  variables: EnvironmentVariables,
  form: LineForm
): string {
  const lines = Object.entries(variables).map(([name, value]) =>
    lineOf(name, value, form)
  )
  const head = heads[form]
  return [...(head === undefined ? [] : [head]), ...lines, ''].join('\n')
}

const heads: Readonly<Partial<Record<LineForm, string>>> = {
  compose: '    environment:',
  kubernetes: '          env:'
}

function lineOf(name: string, value: string | undefined, form: LineForm) {
  const text = value ?? ''
  switch (form) {
    case 'sh':
      return value === undefined
        ? `unset ${name}`
        : `export ${name}='${text.replaceAll("'", "'\\''")}'`
    case 'fish':
      return value === undefined
        ? `set -e ${name}`
        : `set -gx ${name} '${text.replace(/[\\']/g, '\\$&')}'`
    case 'powershell':
      return value === undefined
        ? `Remove-Item Env:${name} -ErrorAction SilentlyContinue`
        : `$env:${name} = '${text.replaceAll("'", "''")}'`
    // A dollar sign would name a variable of compose's own.
    case 'compose':
      return `      ${name}: ${JSON.stringify(text).replaceAll('$', '$$$$')}`
    case 'github':
      return `echo '${`${name}=${text}`.replaceAll("'", "'\\''")}' >> "$GITHUB_ENV"`
    case 'kubernetes':
      return `            - { name: ${name}, value: ${JSON.stringify(text).replaceAll('$(', '$$(')} }`
  }
}
