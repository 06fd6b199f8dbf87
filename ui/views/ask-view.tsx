/** Asks what replay would answer to any request. Counts nothing, marks nothing as used. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { AskedResult } from '../asked/asked-result.tsx'
import { readRequest } from '../request/asked-request.ts'
import { linkTo } from '../store/route.ts'

export function AskView({
  cassette,
  params
}: {
  readonly cassette: string
  readonly params: URLSearchParams
}): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null)
  const address = params.get('address') ?? ''
  const form = params.get('form') ?? undefined
  const like = params.get('like') ?? undefined
  const ask = (): void => {
    const asked = readRequest(field.current?.value ?? '')
    location.hash = linkTo('ask', { cassette, ...asked, like })
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    ask()
  }
  return (
    <div class="column ask">
      <h1>Ask</h1>
      <p class="quiet">
        What would replay answer? Paste a URL, a query string or a curl line; a POST as{' '}
        <code>POST</code> and its form. Nothing is counted, recorded or sent to a wiki.
      </p>
      <textarea
        key={`${address} ${form}`}
        ref={field}
        dir="auto"
        rows={3}
        aria-label="Request"
        placeholder="action=query&list=allpages&apprefix=A"
        defaultValue={shownRequest(address, form)}
        onKeyDown={onKey}
      />
      <p class="links">
        <button type="button" class="primary" onClick={ask}>
          Ask
        </button>
        {like !== undefined && (
          <>
            <span class="quiet">
              by the caller and after the writes of <code>{like}</code>
            </span>
            <a href={linkTo('ask', { cassette, address, form })}>
              ask anonymously instead
            </a>
          </>
        )}
      </p>
      {address !== '' && <h2 class="hidden">Answer</h2>}
      {address !== '' && (
        <AskedResult
          key={`${address} ${form} ${like}`}
          cassette={cassette}
          address={address}
          form={form}
          like={like}
        />
      )}
    </div>
  )
}

/** Readable, as far as the address stays the same. */
function shownRequest(address: string, form: string | undefined): string {
  if (form !== undefined) return `POST ${address}\n${form}`
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}
