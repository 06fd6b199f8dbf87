/**
 * Markup of a wiki as a page, in a frame that runs nothing, loads nothing and leads nowhere: sandboxed, under the pages'
 * own policy and a stricter one, without elements that could reach out.
 */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const head =
  '<!DOCTYPE html><meta charset="utf-8">' +
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:">' +
  '<meta name="color-scheme" content="light"><body dir="auto">'

/** Start tags of what would load, lead or be refused anyway; attributes that the policy would complain of. */
const active =
  /<(\/?)(?=(?:link|meta|base|script|iframe|frame|object|embed|form|portal)\b)/gi
const styleElement = /<(\/?)style\b/gi
const refusedAttributes =
  /(<[^<>]*?\s)(style|src|srcset|background|poster|href|action|ping|on[a-z]+)(?=\s*=)/gi

function withoutActiveParts(html: string): string {
  let text = html.replace(active, '<$1x-').replace(styleElement, '<$1template')
  // One attribute of each tag at a time.
  for (let round = 0; round < 20; round += 1) {
    const next = text.replace(refusedAttributes, '$1data-$2')
    if (next === text) break
    text = next
  }
  return text
}

export function HtmlFrame({ html }: { readonly html: string }): JSX.Element {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const blob = new Blob([head, withoutActiveParts(html)], {
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
