/** Two lists of items each, and the key that tells their items apart: its name, indexes and how many are common. */
import { notFound } from '../../../src/drift/trees/item-keys.ts'

export const keyCases: readonly (readonly [
  string,
  readonly object[],
  readonly object[],
  unknown
])[] = [
  [
    'of items that all have it',
    [{ id: 1 }, { id: 2 }],
    [{ id: 2 }, { id: 1 }],
    ['id', [1, 0], 2]
  ],
  [
    'that half of the shorter list shares',
    [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' }
    ],
    [
      { id: 1, name: 'a' },
      { id: 3, name: 'b' }
    ],
    ['id', [0, notFound], 1]
  ],
  [
    'that more share, where the first has less than half',
    [
      { rcid: 1, name: 'a' },
      { rcid: 2, name: 'b' },
      { rcid: 3, name: 'c' }
    ],
    [
      { rcid: 1, name: 'a' },
      { rcid: 5, name: 'b' },
      { rcid: 6, name: 'c' }
    ],
    ['name', [0, 1, 2], 3]
  ],
  [
    'that the most share, if none is shared by half',
    [
      { rcid: 1, code: 'a' },
      { rcid: 2, code: 'b' },
      { rcid: 3, code: 'c' }
    ],
    [
      { rcid: 7, code: 'a' },
      { rcid: 5, code: 'x' },
      { rcid: 6, code: 'y' }
    ],
    ['code', [0, notFound, notFound], 1]
  ],
  [
    'the first, if nothing is shared',
    [{ id: 1, name: 'a' }],
    [{ id: 2, name: 'b' }],
    ['id', [notFound], 0]
  ],
  ['of an empty list', [], [{ id: 2 }], ['id', [], 0]],
  ['none if one is without it', [{ id: 1 }, { x: 1 }], [{ id: 1 }, { id: 2 }], undefined],
  [
    'none if one of the others is without it',
    [{ id: 1 }, { id: 2 }],
    [{ id: 1 }, { x: 2 }],
    undefined
  ],
  [
    'none if it is there twice',
    [{ id: 1 }, { id: 1 }],
    [{ id: 1 }, { id: 2 }],
    undefined
  ],
  [
    'none if it is twice among the others',
    [{ id: 1 }, { id: 2 }],
    [{ id: 1 }, { id: 1 }],
    undefined
  ],
  [
    'none if it is twice where nobody else has it',
    [{ id: 3 }, { id: 3 }],
    [{ id: 1 }, { id: 2 }],
    undefined
  ],
  [
    'of two members',
    [
      { ns: 0, title: 'A' },
      { ns: 1, title: 'A' }
    ],
    [
      { ns: 1, title: 'A' },
      { ns: 0, title: 'A' }
    ],
    ['ns+title', [1, 0], 2]
  ],
  [
    'never null, nor an object',
    [{ id: null }, { id: {} }],
    [{ id: null }, { id: {} }],
    undefined
  ],
  [
    'not a number that stands for other names',
    [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' }
    ],
    [
      { id: 1, name: 'b' },
      { id: 2, name: 'a' }
    ],
    ['name', [1, 0], 2]
  ],
  [
    'a number where nothing says what it is of',
    [{ id: 1, x: 'a' }],
    [{ id: 1, x: 'b' }],
    ['id', [0], 1]
  ]
]
