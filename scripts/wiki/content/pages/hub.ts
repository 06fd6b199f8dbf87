/** The page «Узел»: more than forty of everything that a page can have. Also the longest page, and redirects. */

import { chartNames, mapNames } from '../files/uploads.ts'
import { addresses, alice, authors, bob, vandals } from '../people.ts'
import { languages } from '../registers.ts'
import { articleTitles, numbers, sentence, two } from '../words.ts'
import { boxLetters } from './articles.ts'
import type { Page } from './page.ts'

export const hubTitle = 'Узел'
const hubRevisions = 46

export const hubTemplates: readonly string[] = [
  ...boxLetters.map((letter) => `Box ${letter}`),
  ...numbers(18).map((index) => `Карточка ${two(index)}`)
]

/** What the `index`th revision adds. */
function hubLine(index: number): string {
  const file = [...mapNames, ...chartNames][index]
  const language = languages[index]
  const template = hubTemplates[index]
  const items = [
    `* [[${articleTitles[index] ?? `Пусто ${index}`}]], [[Шаблон:Подвал]]: ${sentence(index)}`,
    template === undefined ? '' : `{{${template}|${index}}}`,
    file === undefined ? '' : `[[Файл:${file}|60px]]`,
    `[https://site${two(index)}.example.org/путь?i=${index} внешняя ссылка ${index}] [[w:Узел ${two(index)}]]`,
    `[[Категория:Раздел ${two(index)}]]`,
    language === undefined ? '' : `[[${language}:Hub ${index}]]`
  ]
  return items.filter((item) => item !== '').join('\n')
}

export function hub(): Page {
  const by = [bob, alice, ...authors, ...vandals, ...addresses]
  return {
    title: hubTitle,
    texts: numbers(hubRevisions).map((last) =>
      ['{{DISPLAYTITLE:узел}}', ...numbers(last + 1).map(hubLine)].join('\n\n')
    ),
    by: numbers(hubRevisions).map((index) => by[index] ?? bob)
  }
}

/** About 1.9 MB of text: an answer of two megabytes. */
export function longPage(): Page {
  const line = (index: number): string =>
    `${sentence(index)} Line ${index} of the long page: ${'0123456789'.repeat(8)}`
  return {
    title: 'Длинная страница',
    texts: [numbers(8600).map(line).join('\n\n')],
    by: [bob]
  }
}

export function redirects(): readonly Page[] {
  const toHub = numbers(40).map(
    (index): Page => ({
      title: `${index % 2 === 0 ? 'Hub' : 'Узелок'} ${two(index)}`,
      texts: [`#перенаправление [[${hubTitle}]]`]
    })
  )
  const toSections = numbers(8).map(
    (index): Page => ({
      title: `Раздел ${two(index)}`,
      texts: [`#REDIRECT [[${articleTitles[index] ?? hubTitle}#История]]`]
    })
  )
  return [...toHub, ...toSections]
}
