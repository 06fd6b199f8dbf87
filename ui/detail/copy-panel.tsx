/** A request as code for other programs. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ParamView } from '../../src/pages/views.ts'
import { Command } from '../parts/command.tsx'
import { copyForms } from '../request/copy-as.ts'
import { sentParams } from '../request/recorded-query.ts'

export function CopyPanel({
  api,
  params,
  isPost
}: {
  readonly api: string
  readonly params: readonly ParamView[]
  readonly isPost: boolean
}): JSX.Element {
  const [toWiki, setToWiki] = useState(false)
  const path = URL.canParse(api) ? new URL(api).pathname : '/w/api.php'
  const target = toWiki ? api : `${location.origin}${path}`
  const hasSecrets = params.some(
    ({ value }) => value.includes('(secret)') || / token\)$/.test(value)
  )
  return (
    <>
      <label class="choice">
        <input type="checkbox" checked={toWiki} onChange={() => setToWiki(!toWiki)} />{' '}
        address the wiki itself, not this server
      </label>
      {hasSecrets && (
        <p class="quiet">Secrets are not recorded: fill in the placeholders.</p>
      )}
      {copyForms({ api: target, params: sentParams(params), isPost }).map(
        ([name, text]) => (
          <section key={name}>
            <h3>{name}</h3>
            <Command>{text}</Command>
          </section>
        )
      )}
    </>
  )
}
