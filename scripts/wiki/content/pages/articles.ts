/** The articles: they link to each other, use templates and files, and sit in categories. */
import { chartNames, mapNames } from '../files/uploads.ts'
import { addresses, alice, author, bob, bot } from '../people.ts'
import { changeTags } from '../registers.ts'
import { articleTitles, numbers, paragraph, sentence, two } from '../words.ts'
import type { Page } from './page.ts'

export const boxLetters: readonly string[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

function title(index: number): string {
  return articleTitles[index % articleTitles.length] ?? 'Волга'
}

function links(index: number): string {
  const near = [1, 3, 8].map((step) => `[[${title(index + step)}]]`)
  return `См. также ${near.join(', ')}, [[Нет такой ${index % 12}]] и [[Узел|узел]].`
}

function templates(index: number): string {
  const letters = [index % 26, (index * 5 + 1) % 26].map(
    (letter) => boxLetters[letter] ?? 'A'
  )
  const common = index % 2 === 0 ? ['{{Box B|общая}}'] : []
  return [
    ...letters.map((letter) => `{{Box ${letter}|${index}}}`),
    ...common,
    '{{Подвал}}'
  ].join('\n')
}

function files(index: number): string {
  const map = mapNames[index % mapNames.length] ?? 'Map 00.png'
  const chart = chartNames[index % chartNames.length] ?? 'Карта 00.png'
  const common = index % 2 === 1 ? '[[Файл:Map_07.png|мини|Общая карта]]' : ''
  return `[[Файл:${map}|мини|200px|Карта]]\n${index % 3 === 0 ? `[[Файл:${chart}|120px]]` : ''}${common}`
}

function categories(index: number): string {
  const sortKey = index % 4 === 0 ? `|${two(99 - index)}` : ''
  return `[[Категория:Природа ${index % 10}${sortKey}]]\n[[Категория:Природа 0|*${two(index)}]]\n[[Категория:Ёмкости ${index % 6}]]`
}

function elsewhere(index: number): string {
  const wiki = index % 2 === 0 ? `[[w:Страница ${index}|энциклопедия]], ` : ''
  return `Ссылки: [https://example.org/${index}?a=1&b=${index} образец], ${wiki}https://www.example.com/страница/${index}\n[[en:Page ${index}]]`
}

function magic(index: number): string {
  const words = [
    index % 2 === 0 ? `{{DEFAULTSORT:${[...title(index)].reverse().join('')}}}` : '',
    index % 3 === 0 ? '__NOEDITSECTION__' : '',
    index % 5 === 0 ? '__NOTOC__' : '',
    title(index) === 'Ёжик' ? '{{DISPLAYTITLE:ёжик}}' : '',
    `<prop name="lab-${two(index % 30)}">${index}</prop>`
  ]
  return words.join('')
}

function articleText(index: number, revision: number): string {
  const head = `'''${title(index)}''' — ${paragraph(index * 10, 2 + revision)}`
  const body = `== История ==\n${paragraph(index + 500, 3)}<ref>${sentence(index)}</ref>\n\n== Природа ==\n${links(index)}`
  const parts = [
    files(index),
    head,
    body,
    templates(index),
    elsewhere(index),
    categories(index),
    magic(index)
  ]
  return revision === 0 ? head : parts.join('\n\n')
}

function article(index: number): Page {
  const revisions = title(index) === 'Волга' ? 12 : 2 + (index % 3)
  const by = numbers(revisions).map((revision) => {
    if (revision === 1 && index % 6 === 0)
      return addresses[index % addresses.length] ?? bob
    return [bob, alice, bot, author(index + revision)][(index + revision) % 4] ?? bob
  })
  return {
    title: title(index),
    texts: numbers(revisions).map((revision) => articleText(index, revision)),
    by
  }
}

/** Волга comes first: its revisions are 2 to 13 in every version, for calls of action=compare. */
export function articles(): readonly Page[] {
  return articleTitles.map((_, index) => article(index))
}

export function subpages(): readonly Page[] {
  const fruit = numbers(34).map(
    (index): Page => ({
      title: `Абрикос/${two(index)}`,
      texts: [
        `Подстраница ${index}. ${paragraph(index + 60, 2)} {{Box B}} [[Абрикос]] [[Файл:Map_07.png|40px]]`
      ],
      tags: [changeTags[index] ?? 'метка 00']
    })
  )
  const rivers = numbers(36).map(
    (index): Page => ({
      title: `Река ${two(index)}`,
      texts: [
        `'''Река ${index}''' впадает в [[Волга|Волгу]]. ${paragraph(index, 3)} [[w:Волга]] [[en:Volga]]\n{{Box B}} {{Подвал}} [[Категория:Реки]]`
      ],
      by: [index % 2 === 0 ? bob : alice]
    })
  )
  return [...fruit, ...rivers]
}

export function talkPages(): readonly Page[] {
  const articleTalk = numbers(34).map(
    (index): Page => ({
      title: `Обсуждение:${title(index)}`,
      texts: [
        `__NEWSECTIONLINK__\n== Вопрос ==\n${sentence(index)} ~~~~`,
        `== Вопрос ==\n${sentence(index)} ~~~~\n:${sentence(index + 1)} ~~~~`
      ]
    })
  )
  const userPages = [bob, alice].flatMap((name): readonly Page[] => [
    { title: `Участник:${name}`, texts: [`Я ${name}. [[Волга]]`], by: [name] },
    {
      title: `Обсуждение участника:${name}`,
      texts: ['== Привет ==\nДобро пожаловать! ~~~~']
    }
  ])
  return [...articleTalk, ...userPages]
}
