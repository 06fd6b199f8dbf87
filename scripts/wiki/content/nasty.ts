/**
 * Content that shows what is false in a rule: ties, red links, the same title in another case, several namespaces
 * everywhere, sort keys that begin with a blank. On a wiki of its own, so that recorded answers of the others last.
 */
import { admin, alice, authors, bob } from './people.ts'
import type { Step } from './step.ts'
import { numbers, two } from './words.ts'

/** Within the days in which somebody is active, by the clock of the serving wiki. */
const begun = Date.parse('2025-12-20T00:00:00Z')
const moment = (second: number): string =>
  new Date(begun + second * 1000).toISOString().replace('.000Z', 'Z')

const call = (
  second: number,
  as: string,
  params: Readonly<Record<string, string>>
): Step => ({
  kind: 'call',
  at: moment(second),
  as,
  params
})
const edit = (second: number, title: string, text: string, as: string = bob): Step =>
  call(second, as, { action: 'edit', title, text, summary: `О странице ${title}` })

/** Spaces of pages and their talk. */
const spaces = [
  '',
  'Обсуждение:',
  'Участник:',
  'Проект:',
  'Шаблон:',
  'Категория:',
  'Обсуждение участника:'
]
const cases = [
  'Гад',
  'ГАД',
  'ГаД',
  'Гад 1',
  '𝔄лфа',
  '𝔄Лфа',
  '🦊',
  '🦊🦊',
  '𐐀 слово',
  'Ёж',
  'Еж',
  'ЁЖ'
]
const red = [
  'Ничто',
  'Обсуждение:Ничто',
  'Участник:Никто',
  'Шаблон:Ничто',
  'Абракадабра',
  '🦊 нет'
]

/** In every space the same titles, all of one second, each linking to the others, to red ones, and to the target. */
function crowd(): readonly Step[] {
  const links = [...cases, ...red, 'Обсуждение:Гад', 'Участник:ГАД', 'Категория:Ёж'].map(
    (one) => `[[:${one}]]`
  )
  const shown = `{{Гад 1}} {{:Ничто}} [[Файл:Ряд.png|40px]]`
  const outside =
    'https://example.org/?sid=1234567 https://a:one@example.org/x?code=10115'
  return spaces.flatMap((space, nth) =>
    cases.map((title, at) =>
      edit(
        nth,
        space + title,
        `${links.slice(at % 5).join(' ')} [[Цель]] [[Обсуждение:Цель]] ${shown} ${outside} [[en:Hub ${at}]] [[w:Hub]]`,
        authors[at % 3]
      )
    )
  )
}

/** Redirects out of all spaces, also to pages that are not there. */
function turns(): readonly Step[] {
  const targets = ['Цель', 'Обсуждение:Цель', 'Ничто', 'Участник:Гад', 'Категория:Ёж']
  return targets.flatMap((target, nth) =>
    spaces.flatMap((space, at) =>
      numbers(2).map((more) =>
        edit(
          20 + (at % 2),
          `${space}Поворот ${nth}${more}`,
          `#REDIRECT [[:${target}${more === 0 ? '' : '#Часть'}]]`
        )
      )
    )
  )
}

/** Blanks, signs and four bytes before and in sort keys; pages, files and subcategories; a hidden one beside. */
function sorted(): readonly Step[] {
  const keys = [
    ' ',
    ' 🦊',
    '🦊',
    '𝔄',
    '*',
    '',
    'ключ',
    'Ключ',
    ' ключ',
    'a|b',
    '🦊 🦊',
    '\u00a0x'
  ]
  const text = (key: string): string =>
    `[[Категория:Ключи${key === '' ? '' : `|${key}`}]] [[Категория:Скрытая|${key}]] [[Категория:Нет такой]]`
  return [
    edit(30, 'Категория:Ключи', 'Все ключи.'),
    edit(30, 'Категория:Скрытая', '__HIDDENCAT__'),
    ...keys.map((key, at) => edit(31 + (at % 2), `Ключ ${two(at)}`, text(key))),
    ...keys.map((key, at) => edit(31, `Категория:Ключ ${two(at)}`, text(key))),
    ...keys
      .slice(0, 6)
      .map((key, at) => edit(32, `Обсуждение:Ключ ${two(at)}`, text(key)))
  ]
}

/** A long history, two revisions a second; names and comments of some are hidden. */
const history = (): readonly Step[] => [
  ...numbers(60).map((at) =>
    edit(
      40 + Math.floor(at / 2),
      'Шестьдесят',
      `Правка ${at}. ${'Слово '.repeat(at % 7)}`,
      [bob, alice, admin][at % 3]
    )
  ),
  {
    kind: 'hide',
    at: moment(80),
    as: admin,
    title: 'Шестьдесят',
    skipped: 3,
    hide: 'user|comment'
  },
  {
    kind: 'hide',
    at: moment(80),
    as: admin,
    title: 'Шестьдесят',
    skipped: 4,
    hide: 'content'
  }
]

/** Deleted, deleted and given back, and made again after that. */
const gone = (): readonly Step[] => [
  ...numbers(6).flatMap((at) => [
    ...numbers(4).map((nth) => edit(90 + nth, `Ушло ${at}`, `Текст ${nth}`)),
    call(95, admin, { action: 'delete', title: `Ушло ${at}`, reason: 'Долой' })
  ]),
  ...numbers(3).map((at) =>
    call(96, admin, { action: 'undelete', title: `Ушло ${at}`, reason: 'Назад' })
  ),
  edit(97, 'Ушло 3', 'Снова'),
  edit(97, 'Ушло 1', 'И дальше')
]

/** One file with versions, two of them of one second, and a copy under another name. */
const files = (): readonly Step[] =>
  (
    [
      ['Ряд', 0, 7],
      ['Ряд', 0, 101],
      ['Ряд', 1, 102],
      ['Ряд', 2, 7],
      ['Ряд-2', 2, 7]
    ] as const
  ).map(([name, second, image]) => ({
    kind: 'upload',
    at: moment(100 + second),
    as: bob,
    name: `${name}.png`,
    file: `png-${image}.png`,
    comment: 'Снимок',
    text: '[[Категория:Ключи| 🦊]]'
  }))

/** Titles and texts with what looks like a secret and is none. */
const likeSecrets = (): readonly Step[] => {
  const digits = '0123456789abcdef0123456789abcdef'
  const texts = [
    'https://example.org/?pass=one token=badtoken',
    '{"pass": "one", "token": "Wikipedia"}',
    'password: Battle_of_Stalingrad_1942; apikey=deadbeefdeadbeefdeadbeefdeadbeef',
    'post@example.org 192.0.2.77 10.0.0.1'
  ]
  const titles = [
    `Обсуждение:Email/${digits}`,
    `Email/${digits}`,
    'Special code 10115',
    'Post@example.org'
  ]
  return titles.map((title, at) => edit(110, title, texts[at] ?? ''))
}

/** Somebody who did nothing of late is among those whom the wiki holds for active. */
const active = (): readonly Step[] => [
  { kind: 'active', at: moment(120), names: [bob, alice, ...authors.slice(0, 8)] }
]

/** The target comes after what turns to it, so that its id is the highest. */
export const nastySteps = (): readonly Step[] => [
  ...turns(),
  ...files(),
  ...crowd(),
  ...sorted(),
  ...history(),
  ...gone(),
  edit(115, 'Цель', 'Здесь. [[Категория:Ключи|Я]]'),
  edit(115, 'Обсуждение:Цель', 'О ней.'),
  ...likeSecrets(),
  ...active()
]
