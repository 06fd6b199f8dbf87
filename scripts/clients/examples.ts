/** The examples of examples/: how each is run, and on which cassette. */

export interface Example {
  readonly language: string
  /** From the root of the checkout. */
  readonly cassette: string
  readonly command: readonly [string, ...string[]]
  /** Text that it prints. */
  readonly prints: readonly string[]
  /** True where scripts/clients-examples.ts records what it needs; the shipped cassettes hold what the others need. */
  readonly recorded: boolean
}

const shipped = { cassette: 'cassettes/ru-1.43', recorded: false } as const
const own = { cassette: 'examples/cassettes/ru-1.43', recorded: true } as const

export const examples: readonly Example[] = [
  {
    language: 'curl',
    ...shipped,
    command: ['sh', 'examples/curl/titles.sh', 'Река'],
    prints: ['Река\nРека 00\n', 'Река 35\n']
  },
  {
    language: 'Node',
    ...shipped,
    command: ['node', 'examples/node/category.mjs', 'Категория:Природа 0'],
    prints: ['Волга\nАбрикос\n', 'Категория:Природа 0: 68 pages\n']
  },
  {
    language: 'Python',
    ...own,
    // Debian's packages are Debian's Python's.
    command: ['/usr/bin/python3', 'examples/python/links.py', 'Волга'],
    prints: [
      'Волга, 1966 bytes, on Лаборатория\n',
      '  Нет такой 0 (missing)\n',
      '  Ёлка\n'
    ]
  },
  {
    language: 'Perl',
    ...own,
    command: ['perl', 'examples/perl/history.pl', 'Абрикос'],
    prints: ['2024-03-01 05:33:07  Алиса  Новая страница\n']
  }
]
