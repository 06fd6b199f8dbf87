/** Addresses of a wiki. */
const titleNames = /^(?:title|from|to|fromtitle|totitle|prefixedtitle|basetitle)$/

/** The address of the page that a member of an answer names; undefined if its name does not say that it is a title. */
export const titleAddress = (
  upstream: string,
  name: string,
  text: string
): string | undefined => (titleNames.test(name) ? pageAddress(upstream, text) : undefined)

/** The address of a page, by way of index.php, which each wiki has beside api.php; undefined if the wiki is unknown. */
function pageAddress(upstream: string, title: string): string | undefined {
  const api = webAddress(upstream)
  return api === undefined || title === '' || title.length > 255
    ? undefined
    : `${api.replace(/[^/]*$/, '')}index.php?title=${encodeURIComponent(title.replaceAll(' ', '_'))}`
}

/** The address without query and fragment; undefined if it is no address of the web. */
export function webAddress(upstream: string): string | undefined {
  if (!URL.canParse(upstream)) return undefined
  const { protocol, origin, pathname } = new URL(upstream)
  return protocol === 'http:' || protocol === 'https:'
    ? `${origin}${pathname}`
    : undefined
}
