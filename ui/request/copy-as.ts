/** A request as code for other programs. */
export interface CopiedRequest {
  readonly api: string
  readonly params: readonly (readonly [name: string, value: string])[]
  readonly isPost: boolean
}

const queryOf = ({ params }: CopiedRequest): string =>
  params
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%7C', '|')}`
    )
    .join('&')

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const python = (text: string): string =>
  JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

function curl(request: CopiedRequest): string {
  const fields = request.params.map(
    ([name, value]) => `  --data-urlencode ${shellQuote(`${name}=${value}`)}`
  )
  const first = request.isPost
    ? `curl ${shellQuote(request.api)}`
    : `curl -G ${shellQuote(request.api)}`
  return [first, ...fields].join(' \\\n')
}

function fetchCode(request: CopiedRequest): string {
  const params = `new URLSearchParams(${JSON.stringify(Object.fromEntries(request.params), undefined, 2)})`
  return request.isPost
    ? `const response = await fetch(${JSON.stringify(request.api)}, {\n  method: 'POST',\n  body: ${params},\n})\nconst answer = await response.json()`
    : `const params = ${params}\nconst response = await fetch(${JSON.stringify(`${request.api}?`)} + params)\nconst answer = await response.json()`
}

const dictOf = (params: CopiedRequest['params'], indent: string): string =>
  `{\n${params.map(([name, value]) => `${indent}    ${python(name)}: ${python(value)},`).join('\n')}\n${indent}}`

function requests(request: CopiedRequest): string {
  const [method, name] = request.isPost ? ['post', 'data'] : ['get', 'params']
  return `import requests\n\nresponse = requests.${method}(\n    ${python(request.api)},\n    ${name}=${dictOf(request.params, '    ')},\n    headers={"User-Agent": "my-tool/1.0 (https://example.org/contact)"},\n)\nanswer = response.json()`
}

/** mwclient names host and path; it adds the format by itself. */
function mwclient(request: CopiedRequest): string {
  const { host, pathname, protocol } = new URL(request.api)
  const path = pathname.replace(/api\.php$/, '')
  const [, action] = request.params.find(([name]) => name === 'action') ?? [
    'action',
    'help'
  ]
  const rest = request.params.filter(([name]) => !/^(?:action|format)$/.test(name))
  const method = request.isPost ? 'post' : 'get'
  return `import mwclient\n\nsite = mwclient.Site(${python(host)}, path=${python(path)}, scheme=${python(protocol.slice(0, -1))})\nanswer = site.${method}(${python(action)}, **${dictOf(rest, '')})`
}

/** A word for a shell, quoted if it must be. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : shellQuote(text)

export const copyForms = (
  request: CopiedRequest
): readonly (readonly [name: string, text: string])[] => [
  ['curl', curl(request)],
  ['Query string', queryOf(request)],
  ['URL', request.isPost ? request.api : `${request.api}?${queryOf(request)}`],
  ['fetch', fetchCode(request)],
  ['Python, requests', requests(request)],
  ...(URL.canParse(request.api) ? [['Python, mwclient', mwclient(request)] as const] : [])
]
