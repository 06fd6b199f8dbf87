/** Titles and sentences of the content: always the same ones, drawn by number and never by lot. */

/** Article titles: Cyrillic with Ё and Й, Latin, other scripts, characters beyond the BMP, and awkward punctuation. */
export const articleTitles: readonly string[] = [
  ...[
    'Волга',
    'Абрикос',
    'Берёза',
    'Вода',
    'Город',
    'Дерево',
    'Ежевика',
    'Ёжик',
    'Ёлка',
    'Жук',
    'Заря',
    'Игла',
    'Йога'
  ],
  ...[
    'Йод',
    'Камень',
    'Лес',
    'Море',
    'Небо',
    'Озеро',
    'Птица',
    'Река',
    'Снег',
    'Трава',
    'Утро',
    'Флаг',
    'Хлеб',
    'Цветок'
  ],
  ...[
    'Чай',
    'Шар',
    'Щука',
    'Ъ',
    'Эхо',
    'Юг',
    'Яблоко',
    'Мёд',
    'Лёд',
    'Край',
    'Чайка',
    'Абрикос II',
    'Берёза белая'
  ],
  ...[
    'Alpha',
    'B side',
    'Delta',
    'R Йога',
    'Zeta',
    'AT&T',
    'C++',
    '1+1=2',
    '42',
    '50 % скидка',
    '«Заря» (газета)'
  ],
  ...[
    'Tom\'s "best" song',
    'What?',
    'Naïve café',
    'Straße',
    'Ĳssel',
    '東京',
    '北京 2008',
    '한국어',
    'עברית',
    'Ελλάδα'
  ],
  ...[
    '😀 Смех',
    '🦊',
    '𝔄lphabet',
    'Два  слова'.replace('  ', ' '),
    'Список: реки, озёра',
    'Путь/к/цели',
    'Дом (здание)'
  ]
]

const nouns = [
  'река',
  'гора',
  'птица',
  'лодка',
  'карта',
  'ёлка',
  'песня',
  'дорога',
  'башня',
  'книга',
  'йота',
  'зима'
]
const verbs = [
  'видит',
  'помнит',
  'хранит',
  'ищет',
  'строит',
  'слышит',
  'меняет',
  'рисует'
]
const places = [
  'у берега',
  'в лесу',
  'за морем',
  'на севере',
  'под снегом',
  'в городе',
  'около озера'
]

function at<T>(
  list: readonly [T, ...T[]] | readonly T[],
  index: number,
  otherwise: T
): T {
  return list[index % list.length] ?? otherwise
}

export function sentence(seed: number): string {
  const subject = at(nouns, seed, 'река')
  const object = at(nouns, seed * 7 + 3, 'гора')
  const start = subject.charAt(0).toUpperCase() + subject.slice(1)
  return `${start} ${at(verbs, seed * 3 + 1, 'видит')} ${object} ${at(places, seed * 5 + 2, 'в лесу')}; природа № ${seed}.`
}

export function paragraph(seed: number, sentences: number): string {
  return Array.from({ length: sentences }, (_, index) => sentence(seed + index)).join(' ')
}

/** `00`, `01`, …: numbers in names that sort as they count. */
export function two(index: number): string {
  return String(index).padStart(2, '0')
}

export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}

/** FNV-1a: orders pages so that their ids do not follow their titles. */
export function scatter(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text, 'utf8'))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}
