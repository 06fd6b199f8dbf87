/** A binary answer: an image, or bytes in hexadecimal. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { plural } from '../parts/format.ts'

const maxBytes = 4_096
const images = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml|x-icon|bmp)\b/

export function BinaryView({
  bytes,
  contentType
}: {
  readonly bytes: ArrayBuffer
  readonly contentType: string
}): JSX.Element {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const [type] = images.exec(contentType) ?? []
    if (type === undefined) return
    const fresh = URL.createObjectURL(new Blob([bytes], { type }))
    setUrl(fresh)
    return () => URL.revokeObjectURL(fresh)
  }, [bytes, contentType])
  if (url !== undefined) return <img class="image" src={url} alt="the recorded answer" />
  return (
    <>
      <pre class="hex">
        {hexLines(new Uint8Array(bytes, 0, Math.min(maxBytes, bytes.byteLength)))}
      </pre>
      {bytes.byteLength > maxBytes && (
        <p class="quiet">The first {plural(maxBytes, 'byte')}.</p>
      )}
    </>
  )
}

const hexLines = (bytes: Uint8Array): string =>
  Array.from({ length: Math.ceil(bytes.length / 16) }, (_, line) =>
    [...bytes.subarray(16 * line, 16 * line + 16)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(' ')
  ).join('\n')
