/** What happens after the pages are written: moves, deletions, protections, blocks. In this order, in every lab. */
import { lostNames } from './files/uploads.ts'
import type { Page } from './pages/page.ts'
import { addresses, admin, alice, bob, vandals } from './people.ts'
import { type Step, timeline } from './step.ts'
import { numbers, sentence, two } from './words.ts'

const farFuture = '2099-01-01T00:00:00Z'

/** Pages that will be deleted; the first has a long history. */
export function doomedPages(): readonly Page[] {
  return numbers(35).map(
    (index): Page => ({
      title: `Ненужное ${two(index)}`,
      texts: numbers(index === 0 ? 33 : 1).map(
        (revision) => `Лишнее. ${sentence(index + revision)}`
      )
    })
  )
}

/** Pages that will be moved. */
export function movingPages(): readonly Page[] {
  return numbers(8).map((index) => ({
    title: `Черновик ${index}`,
    texts: [`Текст черновика ${index}. [[Волга]]`]
  }))
}

export function eventSteps(): readonly Step[] {
  const tick = timeline('2025-01-10T00:00:00Z', 3600)
  const call = (params: Readonly<Record<string, string>>, as: string = admin): Step => ({
    kind: 'call',
    at: tick(),
    as,
    params
  })
  return [
    ...numbers(8).map((index) =>
      call(
        {
          action: 'move',
          from: `Черновик ${index}`,
          to: `Чистовик ${index}`,
          reason: 'Готово'
        },
        bob
      )
    ),
    ...numbers(35).map((index) =>
      call({ action: 'delete', title: `Ненужное ${two(index)}`, reason: 'Не нужно' })
    ),
    ...lostNames.map((name) =>
      call({ action: 'delete', title: `Файл:${name}`, reason: 'Файл не используется' })
    ),
    ...protections().map((params) => call({ action: 'protect', ...params })),
    ...blocks().map((params) => call({ action: 'block', ...params })),
    call({ action: 'unblock', user: vandals[0] ?? '', reason: 'Исправился' }),
    call({
      action: 'userrights',
      user: alice,
      add: 'sysop',
      expiry: farFuture,
      reason: 'Проверка'
    }),
    call({
      action: 'userrights',
      user: alice,
      remove: 'sysop',
      reason: 'Проверка закончена'
    })
  ]
}

function protections(): readonly Readonly<Record<string, string>>[] {
  const missing = numbers(34).map((index) => ({
    title: `Запретное ${two(index)}`,
    protections: 'create=sysop',
    expiry: 'infinite'
  }))
  const existing = ['Узел', 'Абрикос', 'Шаблон:Box B'].map((title) => ({
    title,
    protections: 'edit=sysop|move=sysop',
    expiry: 'infinite'
  }))
  const forAWhile = {
    title: 'Берёза',
    protections: 'edit=autoconfirmed',
    expiry: farFuture
  }
  return [...missing, ...existing, forAWhile].map((one) => ({
    ...one,
    reason: 'Защита для проверок'
  }))
}

/** Accounts for ever or until a far day, addresses and ranges, and Алиса from one page only. */
function blocks(): readonly Readonly<Record<string, string>>[] {
  const accounts = vandals.map((user, index) => ({
    user,
    expiry: index % 2 === 0 ? 'infinite' : farFuture,
    nocreate: '1'
  }))
  const callers = [
    ...addresses,
    '198.51.100.0/24',
    '203.0.113.128/25',
    '2001:db8:1::/48'
  ].map((user) => ({
    user,
    expiry: farFuture,
    anononly: '1'
  }))
  const partial = {
    user: alice,
    expiry: 'infinite',
    partial: '1',
    pagerestrictions: 'Река 00|Река 01',
    allowusertalk: '1',
    reason: 'Спор о реках'
  }
  return [...accounts, ...callers, partial].map((one) => ({
    reason: 'Блокировка для проверок',
    ...one
  }))
}
