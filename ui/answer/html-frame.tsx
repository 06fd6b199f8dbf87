/**
 * Markup of a wiki as a page, in a frame that runs nothing, loads nothing and leads nowhere: sandboxed, under the pages'
 * own policy and a stricter one, without elements that could reach out.
 */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { harmlessHtml } from './harmless-html.ts'

const head =
  '<!DOCTYPE html><meta charset="utf-8">' +
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:">' +
  '<meta name="color-scheme" content="light"><body dir="auto">'

export function HtmlFrame({ html }: { readonly html: string }): JSX.Element {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const blob = new Blob([head, harmlessHtml(html)], {
      type: 'text/html;charset=utf-8'
    })
    const fresh = URL.createObjectURL(blob)
    setUrl(fresh)
    return () => URL.revokeObjectURL(fresh)
  }, [html])
  return (
    <>
      <p class="quiet">Without styles, images, links and scripts.</p>
      {url !== undefined && (
        <iframe class="page" title="the text as a page" sandbox="" src={url} />
      )}
    </>
  )
}
