/** What parameters may be: what an adversary would choose. The content is that of the lab, plain and nasty. */

/** It is in a title, and sent as a secret. */
export const secretLike: string = '0123456789abcdef0123456789abcdef'

const plainTitles = [
  ...[
    'Узел',
    'Абрикос',
    'Волга',
    'Река 00',
    'Ёжик',
    'Hub 10',
    'Шаблон:Box B',
    'Файл:Map 07.png'
  ],
  ...[
    'Категория:Природа 0',
    'Обсуждение:Узел',
    'Файл:Летопись.png',
    'Нет такой',
    'Раздел 01',
    'Узелок 01'
  ]
]
const nastyTitles = [
  ...[
    'Цель',
    'Цель',
    'Обсуждение:Цель',
    'Шестьдесят',
    'Шестьдесят',
    'Гад',
    'ГАД',
    'ГаД',
    '𝔄лфа',
    '🦊'
  ],
  ...[
    'Участник:Гад',
    'Шаблон:Гад 1',
    'Категория:Ёж',
    'Файл:Ряд.png',
    'Ушло 1',
    'Ушло 3',
    'Ушло 5',
    'Ничто'
  ],
  ...[
    'Ключ 01',
    'Категория:Ключ 03',
    'Поворот 20',
    'Обсуждение:Поворот 00',
    'Категория:Ключи',
    'Категория:Скрытая'
  ]
]
/** What is no title, another spelling of one, or looks like a secret. */
const oddTitles = [
  ...[
    '<bad>',
    ':Цель',
    ':Узел',
    'узел',
    ' Узел ',
    'Река_00',
    'Template:Box B',
    'file:map 07.png',
    './',
    'a/../b'
  ],
  ...[
    `Обсуждение:Email/${secretLike}`,
    `Email/${secretLike}`,
    `Special:ConfirmEmail/${secretLike}`,
    'w:Узел',
    'Узел#Раздел',
    ''
  ]
]
/** As talk pages have it. */
export const signedText: string =
  '== A ==\nx [[Участник:Bob|Bob]] 12:00, 1 января 2024 (UTC)'

const texts = [
  ...[
    'https://example.org/?pass=one',
    'https://example.org/?pass=two',
    'https://a:one@example.org/ x'
  ],
  ...[
    'https://a:two@example.org/ x',
    '{"pass":"one"}',
    '{"pass":"two"}',
    "''a'' {{Box B|1}} [[Узел]]",
    'Beograd i Волга'
  ],
  ...[
    'token=badtoken',
    'token=other',
    '[[Категория:Ключи]] -{sr-el:L; sr-ec:Ћ}-',
    '{{PAGENAME}} {{CURRENTUSER}} ~~~'
  ],
  signedText,
  ...['sid=1234567', `apikey=${secretLike}`, 'password: abcdefgh', 'post@example.org']
]
const words = [
  'Р',
  'река',
  'Абрикос',
  'B',
  'Map',
  'ё',
  '1',
  'Г',
  'ГА',
  '🦊',
  'Hub',
  'https://example.org/?code=10115'
]

export interface Pools {
  /** Whether a scene has as much of everything as there is. */
  readonly rich?: boolean
  readonly titles: readonly string[]
  /** Pages that have much of everything. */
  readonly targets: readonly string[]
  readonly categories: readonly string[]
  readonly files: readonly string[]
  readonly pageids: readonly string[]
  readonly revids: readonly string[]
}

/** @param nasty whether the wiki has that content */
export const titlesFor = (nasty: boolean): readonly string[] => [
  ...plainTitles,
  ...(nasty ? [...nastyTitles, ...nastyTitles] : [])
]

export const targetsFor = (nasty: boolean): readonly string[] =>
  nasty
    ? ['Цель', 'Цель', 'Шестьдесят', 'Шестьдесят', 'Узел', 'Гад', 'Обсуждение:Цель']
    : ['Узел', 'Узел', 'Абрикос', 'Волга']

export const users: readonly string[] = [
  'Bob',
  'Алиса',
  'Admin',
  'Вера',
  '192.0.2.77',
  '127.0.0.1',
  'Никто',
  'bob'
]
const times = [
  '2001-01-01T00:00:00Z',
  '2014-06-01T00:00:00Z',
  '2024-06-01T00:00:00Z',
  '2025-12-20T00:00:50Z',
  '2030-01-01T00:00:00Z',
  '20250101000000'
]
const integers = [
  '0',
  '1',
  '2',
  '3',
  '5',
  '60',
  '100',
  '46.0',
  ' 46',
  '0x2E',
  '-1',
  '4.6e1'
]
export const smallLimits: readonly string[] = [
  '1',
  '1',
  '2',
  '2',
  '3',
  '4',
  '5',
  '9',
  '12'
]
export const limits: readonly string[] = [
  ...[
    '1',
    '2',
    '3',
    '4',
    '5',
    '7',
    '10',
    '20',
    '25',
    '49',
    '50',
    '51',
    '60',
    '300',
    '500',
    'max',
    '600',
    '5000',
    '0',
    '2.0'
  ]
]

/** By name, where that says more than the type. */
const named: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:start|end)id$|^(?:parent|from|to|old|old|cur)?(?:rev|page)?id$/,
    ['1', '46', '100', '174', '300']
  ],
  // Those from 31 on have one edit each: rows by user are then rows by time as well.
  [/^userids$/, ['31', '32', '33', '34', '35', '36', '37', '1', '3']],
  [/^iprange$/, ['192.0.2.0/24', '198.51.100.0/24', '2001:db8::/32']],
  [/^ip$/, ['192.0.2.77', '198.51.100.23']],
  [
    /^testactions$/,
    ['read', 'edit', 'delete', 'protect', 'block', 'import', 'undelete', 'move']
  ],
  [/^password$/, ['1', 'abcdefgh12XY', 'lab-Passw0rd-42', 'password']],
  [/text$|^html$|^json$/, texts],
  [
    /^(?:from|to|prefix|namefrom)$/,
    [
      'B',
      'Река 00',
      'Hub',
      'Г',
      'ГА',
      'Гад',
      './',
      'a/../b',
      '<',
      'ё',
      'z'.repeat(256),
      '🦊',
      'к',
      ''
    ]
  ],
  [/search$|^query$/, words],
  [/^tag$/, ['mw-undo', 'lab', 'нет']],
  [/sort.*key|prefix$/, ['B', ' ', '🦊', '2a', 'К']],
  [
    /^modules$|^querymodules$/,
    [
      'query',
      'info',
      'query+info',
      'allpages',
      'query+allpages',
      'main',
      'parse',
      'revisions',
      'нет'
    ]
  ],
  [/^useskin$/, ['vector', 'fallback']],
  [/lang/, ['ru', 'en', 'sr-el', 'sr-ec', 'zh-tw', 'user']],
  [/^mime$/, ['image/png', 'image/gif']],
  [/^(?:min|max)size$/, ['1', '100', '5000']]
]

/** @param name without prefix */
export function valuesFor(name: string, type: string, pools: Pools): readonly string[] {
  if (type === 'limit' || name === 'limit') return limits
  if (type === 'namespace') return ['0', '1', '2', '4', '6', '10', '14', '3']
  if (name === 'pageids' || name === 'pageid') return pools.pageids
  if (name === 'revids' || name === 'revid' || name === 'oldid') return pools.revids
  const found = named.find(([pattern]) => pattern.test(name))
  if (found !== undefined) return found[1]
  if (/user|author/.test(name) || type === 'user') return users
  if (type === 'title' || /title|page|category/.test(name))
    return [...pools.titles, ...oddTitles]
  if (type === 'timestamp' || type === 'expiry') return times
  if (type === 'integer') return integers
  if (type === 'boolean') return ['', '1', '0', 'false']
  return [...words, ...texts]
}
