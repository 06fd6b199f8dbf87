/** A request as code for other programs. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Command } from '../parts/command.tsx'
import type { CopiedParts } from '../request/copied-of.ts'
import { anyFile, copyForms } from '../request/copy-as.ts'

export function CopyPanel({
  upstream,
  of
}: {
  readonly upstream: string
  readonly of: CopiedParts
}): JSX.Element {
  const [toWiki, setToWiki] = useState(false)
  const hasWiki = URL.canParse(upstream)
  const { params, files, unread } = of
  const path = of.path ?? (hasWiki ? new URL(upstream).pathname : '/w/api.php')
  // The prefix that names a cassette is this server's.
  const address = toWiki
    ? new URL(path.replace(/^\/~[^/]*/, ''), upstream).href
    : location.origin + path
  const hasSecrets = params.some(([, value]) => /\(secret\)|^0{40}/.test(value))
  return (
    <>
      {hasWiki && (
        <label class="choice">
          <input type="checkbox" checked={toWiki} onChange={() => setToWiki(!toWiki)} />{' '}
          address the wiki itself, not this server
        </label>
      )}
      {hasSecrets && (
        <p class="quiet">Secrets are not recorded: fill in the placeholders.</p>
      )}
      {files.length > 0 && (
        <p class="quiet">Files are not recorded: name yours in place of {anyFile}.</p>
      )}
      {unread !== '' && <p class="quiet">Without its body: {unread}.</p>}
      {copyForms({ ...of, address }).map(([name, text]) => (
        <section key={name}>
          <h3>{name}</h3>
          <Command>{text}</Command>
        </section>
      ))}
    </>
  )
}
