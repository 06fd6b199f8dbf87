/** Who edits: accounts that can log in, accounts that cannot, and callers without an account. */
import { labAccounts } from '../lab.ts'
import { type Step, timeline } from './step.ts'
import { numbers, two } from './words.ts'

export const authors: readonly string[] = [
  ...[
    'Вера',
    'Глеб',
    'Дарья',
    'Ёлкин',
    'Жанна',
    'Захар',
    'Инна',
    'Йозеф',
    'Кирилл',
    'Лев',
    'Майя',
    'Нина',
    'Олег'
  ],
  ...[
    'Пётр',
    'Carol',
    'Dave',
    'Erin',
    'Frank',
    'Grace',
    'Heidi',
    'Ivan III',
    "O'Neil",
    'Zoë',
    '東子',
    '🦊 Лис'
  ]
]

/** Accounts that are blocked in the end. */
export const vandals: readonly string[] = numbers(26).map(
  (index) => `Вандал ${two(index)}`
)

/** Addresses of the documentation ranges: nobody's. */
export const addresses: readonly string[] = [
  '192.0.2.1',
  '192.0.2.77',
  '198.51.100.23',
  '203.0.113.9',
  '2001:DB8:0:0:0:0:0:1'
]

export const admin: string = labAccounts.admin.name
export const bob: string = labAccounts.bob.name
export const alice: string = labAccounts.alice.name
export const bot: string = labAccounts.bot.name

export function author(index: number): string {
  const list = [bob, alice, ...authors]
  return list[index % list.length] ?? bob
}

export function accountSteps(): readonly Step[] {
  const tick = timeline('2024-02-01T00:00:00Z')
  const withPassword = Object.values(labAccounts).map(
    (account): Step => ({
      kind: 'account',
      at: tick(),
      name: account.name,
      groups: account.groups,
      password: account.password
    })
  )
  const without = [...authors, ...vandals].map(
    (name): Step => ({ kind: 'account', at: tick(), name, groups: [] })
  )
  return [...withPassword, ...without]
}
