/** Long lists that the hub page and the wiki's settings draw on. */
import type { InterwikiRow, Step } from './step.ts'
import { timeline } from './step.ts'
import { numbers, two } from './words.ts'

export const languages: readonly string[] = [
  ...[
    'en',
    'de',
    'fr',
    'es',
    'it',
    'pt',
    'pl',
    'nl',
    'sv',
    'fi',
    'da',
    'nb',
    'cs',
    'sk',
    'hu',
    'ro',
    'bg',
    'el',
    'tr'
  ],
  ...[
    'uk',
    'be',
    'sr',
    'hr',
    'sl',
    'lt',
    'lv',
    'et',
    'ja',
    'zh',
    'ko',
    'ar',
    'he',
    'fa',
    'hi',
    'th',
    'vi',
    'id',
    'ka'
  ],
  ...['hy', 'az', 'kk', 'eo', 'la']
]

export const changeTags: readonly string[] = numbers(34).map(
  (index) => `метка ${two(index)}`
)

export function interwikiRows(): readonly InterwikiRow[] {
  const wikis = ['w', 'm', 'commons', 'словарь'].map((prefix, index) => ({
    prefix,
    url: `https://wiki${index}.example.org/wiki/$1`,
    local: true
  }))
  const foreign = languages.map((code) => ({
    prefix: code,
    url: `https://${code}.example.org/wiki/$1`,
    local: true
  }))
  return [
    ...wikis,
    ...foreign,
    { prefix: 'сайт', url: 'https://example.net/?q=$1', local: false }
  ]
}

export function registerSteps(admin: string): readonly Step[] {
  const tick = timeline('2024-02-10T00:00:00Z')
  const interwiki: Step = { kind: 'interwiki', at: tick(), rows: interwikiRows() }
  const tags = changeTags.map(
    (tag): Step => ({
      kind: 'call',
      at: tick(),
      as: admin,
      params: {
        action: 'managetags',
        operation: 'create',
        tag,
        reason: 'Для проверок',
        ignorewarnings: '1'
      }
    })
  )
  return [interwiki, ...tags]
}
