/** Secrets that a recorder was told to filter out of its requests: without them the answer would not be a success. */

import { bundledLookup } from '../../recorder/wiki/modules/module-descriptions.ts'
import {
  mergeParams,
  parseUrlencoded
} from '../../recorder/wiki/parameters/request-params.ts'

/** In their place: of a token the form counts. */
const filteredPassword = 'filtered-out-by-the-recorder'
const filteredToken = `${'f17e4ed0'.repeat(5)}%2B%5C`

/** The form with what is missing. @param answer the text of the wiki's answer */
export function withFilteredSecrets(url: URL, form: string, answer: string): string {
  const params = mergeParams(parseUrlencoded(form), parseUrlencoded(url.search.slice(1)))
  const needed = neededSecrets(params.get('action') ?? '', answer)
  const missing = needed.filter((name) => !params.has(name))
  return [form, ...missing.map(pairFor)].join('&')
}

const pairFor = (name: string) =>
  `${name}=${name === 'lgpassword' ? filteredPassword : filteredToken}`

function neededSecrets(action: string, answer: string) {
  if (action === 'login' && /"NeedToken"/.test(answer)) return ['lgpassword']
  if (action === 'login') return /"Success"/.test(answer) ? ['lgpassword', 'lgtoken'] : []
  if (/^\s*\{\s*"errors?"|<error /.test(answer)) return []
  const { parameters } = bundledLookup(undefined)(action) ?? {}
  return parameters?.get('token')?.tokenType === undefined ? [] : ['token']
}
