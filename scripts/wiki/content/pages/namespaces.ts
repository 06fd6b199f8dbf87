/** Pages outside the main namespace: templates, categories, the wiki's own messages and gadgets. */

import { admin } from '../people.ts'
import { numbers, sentence, two } from '../words.ts'
import { hubTemplates } from './hub.ts'
import type { Page } from './page.ts'

export function templates(): readonly Page[] {
  const boxes = hubTemplates.map(
    (name): Page => ({
      title: `Шаблон:${name}`,
      texts: [
        `<div class="box">${name}: {{{1|пусто}}}</div>`,
        `<div class="box">'''${name}''': {{{1|пусто}}}</div>`
      ]
    })
  )
  const footer: Page = {
    title: 'Шаблон:Подвал',
    texts: [
      '<includeonly>{{#if:{{PAGENAME}}|<small>{{PAGENAME}} — [[Проект:О лаборатории|о лаборатории]]</small>}}</includeonly>'
    ]
  }
  const described: Page = {
    title: 'Шаблон:Описанный',
    texts: [
      'Привет, {{{имя}}}!<noinclude><templatedata>{"description":"Здоровается","params":{"имя":{"label":"Имя","type":"string","required":true}}}</templatedata></noinclude>'
    ]
  }
  return [
    ...boxes,
    footer,
    described,
    {
      title: 'Проект:О лаборатории',
      texts: ['Вики для проверок. {{Описанный|имя=Боб}}']
    }
  ]
}

/** Of many categories some have a page and some have not, as on any wiki. */
export function categories(): readonly Page[] {
  const page = (name: string, index: number): Page => ({
    title: `Категория:${name}`,
    texts: [
      `${sentence(index)}\n[[Категория:Всё]]${index % 4 === 0 ? ' __HIDDENCAT__' : ''}`
    ]
  })
  const nature = numbers(10).map((index) => `Природа ${index}`)
  const vessels = numbers(4).map((index) => `Ёмкости ${index}`)
  const sections = numbers(24).map((index) => `Раздел ${two(index * 2)}`)
  return ['Всё', 'Реки', ...nature, ...vessels, ...sections].map(page)
}

export function messages(): readonly Page[] {
  // Gadgets takes Latin names only; its categories may have any.
  const gadget = (index: number): string =>
    `== группа-${two(index)} ==\n* tool-${two(index)}[ResourceLoader]|tool-${two(index)}.js`
  const definition = numbers(36).map(gadget).join('\n')
  const own: readonly (readonly [string, string])[] = [
    ['MediaWiki:Gadgets-definition', definition],
    ['MediaWiki:Gadget-tool-00.js', '/* первый прибор */\n'],
    ['MediaWiki:Gadget-section-группа-00', 'Первая группа'],
    ['MediaWiki:Gadget-tool-00', 'Первый прибор'],
    [
      'MediaWiki:Ipb-needreblock',
      '$1 {{GENDER:$1|уже заблокирован|уже заблокирована}}. Изменить?'
    ]
  ]
  return own.map(([title, text]) => ({ title, texts: [text], by: [admin] }))
}
