/** A request as people write it: a URL, a query string, or a curl command. */
export interface AskedRequest {
  /** URL, path or query string. */
  readonly address: string
  /** Urlencoded body of a POST; undefined for a GET. */
  readonly form: string | undefined
}

export function readRequest(text: string): AskedRequest {
  const line = text.trim()
  if (/^curl(?:\.exe)?\s/i.test(line)) return readCurl(shellWords(line).slice(1))
  const [, method, rest] = /^(GET|POST)\s+(\S[\s\S]*)$/i.exec(line) ?? []
  const [address = '', ...form] = (rest ?? line).split(/\s*\n\s*/)
  const body = form.join('&')
  const isPost = method?.toUpperCase() === 'POST' || body !== ''
  return {
    address: withFormat(address.replace(/^\?/, '')),
    form: isPost ? body : undefined
  }
}

/** A query string alone means the answer, not the page about it that the API gives without a format. */
const withFormat = (address: string): string =>
  /^(?:[^/?]*&)?action=/.test(address) && !/(?:^|&)format=/.test(address)
    ? `${address}&format=json`
    : address

/** Flags whose value is data. Source: curl(1). */
const dataFlags =
  /^(?:-d|--data(?:-ascii|-raw|-binary|-urlencode)?|-F|--form(?:-string)?)$/
/** Flags without a value; all others have one. */
const plainFlags =
  /^(?:-[fgGijkLnNqsSvZ#]+|--(?:compressed|get|insecure|location|silent|http.*))$/

function readCurl(words: readonly string[]): AskedRequest {
  const data: string[] = []
  let address = ''
  let method = ''
  let isGet = false
  for (let at = 0; at < words.length; at += 1) {
    const [flag = '', joined] = splitFlag(words[at] ?? '')
    const value = (): string => {
      if (joined !== undefined) return joined
      at += 1
      return words[at] ?? ''
    }
    if (dataFlags.test(flag)) data.push(encodeData(value(), flag))
    else if (flag === '-X' || flag === '--request') method = value().toUpperCase()
    else if (flag === '--url') address = value()
    else if (flag === '-G' || flag === '--get') isGet = true
    else if (!flag.startsWith('-')) address = flag
    else if (!plainFlags.test(flag)) value()
  }
  const body = data.join('&')
  if (isGet || method === 'GET')
    return {
      address:
        body === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${body}`,
      form: undefined
    }
  return { address, form: data.length > 0 || method === 'POST' ? body : undefined }
}

/** `-dX`, `--data=X`. */
function splitFlag(word: string): readonly [flag: string, value: string | undefined] {
  const [, short, shortValue] = /^(-[dFXHbAeou])([\s\S]+)$/.exec(word) ?? []
  if (short !== undefined) return [short, shortValue]
  const [, long, longValue] = /^(--[a-z-]+)=([\s\S]*)$/.exec(word) ?? []
  return long === undefined ? [word, undefined] : [long, longValue]
}

function encodeData(value: string, flag: string): string {
  const isPlain = !/urlencode|form|^-F$/.test(flag)
  if (isPlain) return value
  const at = value.indexOf('=')
  return at < 0
    ? encodeURIComponent(value)
    : `${value.slice(0, at)}=${encodeURIComponent(value.slice(at + 1))}`
}

/** The words of a shell line: quotes, backslashes, continued lines. */
function shellWords(line: string): readonly string[] {
  const pattern =
    /\\\r?\n|\s+|'([^']*)'|\$'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|[^\s'"\\$]+|\$/g
  const words: string[] = []
  let word: string | undefined
  for (const [all, single, dollar, double, escaped] of line.matchAll(pattern)) {
    if (/^(?:\\\r?\n|\s+)$/.test(all)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    const plain =
      dollar === undefined
        ? undefined
        : dollar.replace(/\\u([0-9a-f]{4})|\\([\s\S])/gi, unescapeAnsi)
    word =
      (word ?? '') +
      (single ?? plain ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? all)
  }
  return word === undefined ? words : [...words, word]
}

const unescapeAnsi = (
  _: string,
  code: string | undefined,
  letter: string | undefined
): string =>
  code === undefined
    ? ({ n: '\n', t: '\t', r: '\r' }[letter ?? ''] ?? letter ?? '')
    : String.fromCharCode(Number.parseInt(code, 16))
