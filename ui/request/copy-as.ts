/** A request as code for other programs. */
import {
  escapeControls,
  escapeControlsInLines
} from '../../src/recorder/text/escape-control-characters.ts'

export interface CopiedRequest {
  /** Without a query. */
  readonly address: string
  readonly params: readonly (readonly [name: string, value: string])[]
  /** Names of the fields of uploaded files. */
  readonly files: readonly string[]
  readonly isPost: boolean
}

/** Stands for the path of an uploaded file: contents are not kept. */
export const anyFile = 'FILE'

const encode = encodeURIComponent
const encodePair = ([name, value]: readonly [string, string]): string =>
  `${encode(name)}=${encode(value).replaceAll('%7C', '|')}`

const queryOf = ({ params }: CopiedRequest): string => params.map(encodePair).join('&')

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A text in JavaScript and in Python; what would reverse or hide text is spelled out. */
const literal = (text: string): string => escapeControls(JSON.stringify(text))

/** An object in JavaScript, a dictionary in Python. */
const literals = (params: CopiedRequest['params'], indent = ''): string =>
  `{\n${params.map(([name, value]) => `${indent}    ${literal(name)}: ${literal(value)},`).join('\n')}\n${indent}}`

const isJson = ({ params }: CopiedRequest): boolean =>
  params.some((pair) => pair.join('=') === 'format=json')

const isHidden = (text: string): boolean => escapeControlsInLines(text) !== text

function curl({ address, params, files, isPost }: CopiedRequest): string {
  const isUpload = files.length > 0
  // A part of a multipart form cannot be encoded; the address has the rest.
  const moved = isUpload ? params.filter(([, value]) => isHidden(value)) : []
  const fields = params.flatMap((pair) => {
    if (moved.includes(pair)) return []
    const text = pair.join('=')
    if (isUpload) return `--form-string ${shellQuote(text)}`
    return isHidden(pair[1])
      ? `-d ${shellQuote(encodePair(pair))}`
      : `--data-urlencode ${shellQuote(text)}`
  })
  const uploads = files.map((name) => `-F ${shellQuote(`${name}=@${anyFile}`)}`)
  const query = moved.map(encodePair).join('&')
  const to = shellQuote(query === '' ? address : `${address}?${query}`)
  return [`curl ${isPost ? '' : '-G '}${to}`, ...fields, ...uploads].join(' \\\n  ')
}

function fetchCode(request: CopiedRequest): string {
  const { address, params, files, isPost } = request
  const answer = `\nconst answer = await response.${isJson(request) ? 'json' : 'text'}()`
  const to = literal(isPost ? address : `${address}?`)
  if (files.length === 0)
    return `const params = new URLSearchParams(${literals(params)})\nconst response = await fetch(${to}${isPost ? ", { method: 'POST', body: params })" : ' + params)'}${answer}`
  const appended = files.map(
    (name) =>
      `\nbody.append(${literal(name)}, await openAsBlob('${anyFile}'), '${anyFile}')`
  )
  return `import { openAsBlob } from 'node:fs'\n\nconst body = new FormData()\nconst params = ${literals(params)}\nfor (const [name, value] of Object.entries(params)) body.append(name, value)${appended.join('')}\nconst response = await fetch(${to}, { method: 'POST', body })${answer}`
}

/** Uploaded files as an argument in Python; empty if there are none. */
const openedFiles = ({ files }: CopiedRequest): string =>
  files.length === 0
    ? ''
    : `files={${files.map((name) => `${literal(name)}: open("${anyFile}", "rb")`).join(', ')}}`

function requests(request: CopiedRequest): string {
  const [method, name] = request.isPost ? ['post', 'data'] : ['get', 'params']
  const args = [
    literal(request.address),
    `${name}=${literals(request.params, '    ')}`,
    openedFiles(request),
    'headers={"User-Agent": "my-tool/1.0 (https://example.org/contact)"}'
  ]
  return `import requests\n\nresponse = requests.${method}(${args.map((one) => one && `\n    ${one},`).join('')}\n)\nanswer = response.${isJson(request) ? 'json()' : 'text'}`
}

/** Not by `site.get`, which adds `meta=userinfo` to each query. */
function mwclient(request: CopiedRequest): string {
  const { host, pathname, protocol } = new URL(request.address)
  const path = pathname.replace(/api\.php$/, '')
  const more = [openedFiles(request), request.isPost ? '' : 'http_method="GET"']
  const call = `site.raw_call("api", ${literals(request.params)}${more.map((one) => one && `, ${one}`).join('')})`
  return `import json\nimport mwclient\n\nsite = mwclient.Site(${literal(host)}, path=${literal(path)}, scheme=${literal(protocol.slice(0, -1))}, do_init=False)\nanswer = ${isJson(request) ? `json.loads(${call})` : call}`
}

/** A word for a shell, quoted if it must be. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : shellQuote(text)

export const copyForms = (
  request: CopiedRequest
): readonly (readonly [name: string, text: string])[] => [
  ['curl', curl(request)],
  ['Query string', queryOf(request)],
  ['URL', request.isPost ? request.address : `${request.address}?${queryOf(request)}`],
  ['fetch', fetchCode(request)],
  ['Python, requests', requests(request)],
  ...(/^https?:.*\/api\.php$/.test(request.address)
    ? [['Python, mwclient', mwclient(request)] as const]
    : [])
]
