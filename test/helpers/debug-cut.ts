/** Cuts `debuginfo` out of an answer's text by counting braces: knows nothing of how wikitape does it. */
export function withoutDebuginfo(body: string): string {
  const at = body.indexOf('"debuginfo":{')
  if (at < 0) return body
  const start = at + '"debuginfo":'.length
  let depth = 0
  let inString = false
  let end = start
  for (; end < body.length; end += 1) {
    const letter = body[end]
    if (inString && letter === '\\') end += 1
    else if (letter === '"') inString = !inString
    else if (!inString && letter === '{') depth += 1
    else if (!inString && letter === '}') depth -= 1
    if (depth === 0) break
  }
  const rest = body.slice(end + 1)
  return rest.startsWith(',')
    ? body.slice(0, at) + rest.slice(1)
    : body.slice(0, at).replace(/,$/, '') + rest
}
