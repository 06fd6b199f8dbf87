/** Warnings in two answers to one request: what differs, the bodies, the findings. */
const starred = (text: string, module = 'parse'): unknown => ({
  warnings: { [module]: { '*': text } },
  parse: {}
})
const inList = (text: string, module = 'parse'): unknown => ({
  warnings: [{ code: 'x', module, text }],
  parse: {}
})

export const warningCases: readonly (readonly [
  string,
  unknown,
  unknown,
  readonly string[]
])[] = [
  [
    'of one module in one form and the other',
    starred('odd words'),
    { warnings: { parse: { warnings: 'odd words' } }, parse: {} },
    ['warning.envelope warnings everywhere']
  ],
  [
    'as an array',
    starred('odd words'),
    { warnings: [{ module: 'parse', text: 'odd words' }], parse: {} },
    ['warning.envelope warnings everywhere']
  ],
  ['none, in an empty array', { warnings: [], parse: {} }, { parse: {} }, []],
  [
    'of the same code in other words',
    inList('one two'),
    inList('three four'),
    ['text.changed warnings.parse']
  ],
  [
    'of which most words stay',
    starred('the limit is too high'),
    starred('the limit was too high'),
    ['text.changed warnings.parse']
  ],
  [
    'of which half of the words stay',
    starred('one two'),
    starred('one three'),
    ['warning.appeared warnings.parse', 'warning.removed warnings.parse']
  ],
  [
    'of another module',
    starred('odd words', 'parse'),
    starred('odd words', 'query'),
    ['warning.appeared warnings.query', 'warning.removed warnings.parse']
  ],
  [
    'one of two lines',
    starred('odd words\nmore to say'),
    starred('more to say'),
    ['warning.removed warnings.parse']
  ],
  [
    'about another parameter',
    starred('Unrecognized parameter: one.'),
    starred('Unrecognized parameter: two.'),
    ['warning.appeared warnings.parse', 'warning.removed warnings.parse']
  ],
  [
    'about the same parameter in other words',
    starred('Unrecognized parameter: one.'),
    starred('Parameter "one" is not recognized.'),
    ['text.changed warnings.parse']
  ],
  [
    'of what ends, by the main module',
    { parse: {} },
    starred('This is deprecated.', 'main'),
    ['deprecation.appeared warnings.main everywhere']
  ],
  [
    'of what ends, by another',
    { parse: {} },
    starred('This is deprecated.'),
    ['deprecation.appeared warnings.parse']
  ],
  [
    'that announce',
    { parse: {} },
    starred('Subscribe to mediawiki-api-announce', 'main'),
    ['text.changed warnings.main everywhere']
  ],
  [
    'that announced',
    starred('Subscribe to mediawiki-api-announce', 'main'),
    { parse: {} },
    ['text.changed warnings.main everywhere']
  ],
  [
    'in another order of lines',
    starred('odd words\nmore to say'),
    starred('more to say\nodd words'),
    []
  ]
]
