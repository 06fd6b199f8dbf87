/**
 * Changes of one parameter of list=allpages: what changed, before, after, the findings.
 * The recorded request sends filter=all, limit=500 and prop=ids|size; nobody sends other.
 */
export type Param = Readonly<Record<string, unknown>> & { readonly name: string }

const values = (
  type: readonly string[],
  deprecatedvalues?: readonly string[]
): Param => ({
  name: 'prop',
  multi: '',
  type,
  ...(deprecatedvalues === undefined ? {} : { deprecatedvalues })
})
const limit = (more: object): Param => ({ name: 'limit', type: 'limit', ...more })
const filter = (more: object = {}): Param => ({ name: 'filter', ...more })
const other = (more: object = {}): Param => ({ name: 'other', ...more })

export const parameterCases: readonly (readonly [
  string,
  Param,
  Param,
  readonly string[]
])[] = [
  [
    'takes one value, two are sent',
    { name: 'prop', multi: '' },
    { name: 'prop' },
    ['breaking param.single approp']
  ],
  [
    'takes one value, one is sent',
    filter({ multi: '' }),
    filter(),
    ['note param.single apfilter']
  ],
  [
    'takes one value, none is sent',
    other({ multi: '' }),
    other(),
    ['note param.single apother']
  ],
  [
    'wants a POST, and is sent',
    filter(),
    filter({ sensitive: '' }),
    ['risky param.sensitive apfilter']
  ],
  [
    'wants a POST, and is not sent',
    other(),
    other({ sensitive: '' }),
    ['note param.sensitive apother']
  ],
  [
    'wants no POST any more',
    filter({ sensitive: '' }),
    filter(),
    ['additive param.not-sensitive apfilter']
  ],
  [
    'wants another token',
    other({ tokentype: 'edit' }),
    other({ tokentype: 'csrf' }),
    ['risky param.token-changed apother']
  ],
  [
    'is no longer deprecated',
    filter({ deprecated: '' }),
    filter(),
    ['additive param.undeprecated apfilter']
  ],
  [
    'is required, and sent',
    filter(),
    filter({ required: '' }),
    ['note param.required apfilter']
  ],
  [
    'is required, and not sent',
    other(),
    other({ required: '' }),
    ['breaking param.required apother']
  ],
  [
    'names a user',
    filter({ type: 'string' }),
    filter({ type: 'user' }),
    ['note param.type-changed apfilter']
  ],
  [
    'takes any text after numbers',
    filter({ type: 'integer' }),
    filter({ type: 'string' }),
    ['note param.type-changed apfilter']
  ],
  [
    'takes any text after some',
    filter({ type: ['all'] }),
    filter({ type: 'string' }),
    ['note param.type-changed apfilter']
  ],
  [
    'takes some texts after any',
    filter({ type: 'string' }),
    filter({ type: ['all'] }),
    ['risky param.type-changed apfilter']
  ],
  [
    'takes any text after a flag',
    filter({ type: 'boolean' }),
    filter({ type: 'string' }),
    ['risky param.type-changed apfilter']
  ],
  [
    'is of another type, and not sent',
    other({ type: 'string' }),
    other({ type: 'timestamp' }),
    ['note param.type-changed apother']
  ],
  [
    'has null, then false for a default',
    other({ default: null }),
    other({ default: false }),
    []
  ],
  ['has an empty default, then none', other({ default: '' }), other(), []],
  [
    'has a default in a list, then in a text',
    other({ default: ['a', 'b'] }),
    other({ default: 'a|b' }),
    []
  ],
  [
    'has a default now',
    other(),
    other({ default: 'a' }),
    ['risky param.default-changed apother']
  ],
  [
    'has another default, and is sent by all',
    filter({ default: 'a' }),
    filter({ default: 'b' }),
    ['note param.default-changed apfilter']
  ],
  [
    'is a flag with a default, then with none',
    other({ type: 'boolean', default: 'false' }),
    other({ type: 'boolean' }),
    []
  ],
  [
    'is required, its default is nothing to anybody',
    other({ default: 'a' }),
    other({ required: '', default: 'b' }),
    ['breaking param.required apother']
  ],
  [
    'has a sent value deprecated',
    values(['ids', 'size']),
    values(['ids', 'size'], ['ids']),
    ['risky param.value-deprecated approp[*]']
  ],
  [
    'has a value undeprecated',
    values(['ids', 'size'], ['ids']),
    values(['ids', 'size']),
    ['additive param.value-undeprecated approp[*]']
  ],
  [
    'has another value deprecated',
    values(['ids', 'size', 'x']),
    values(['ids', 'size', 'x'], ['x']),
    ['note param.value-deprecated approp[*]']
  ],
  [
    'has a value that is born deprecated',
    values(['ids']),
    values(['ids', 'x'], ['x']),
    ['additive param.value-added approp[*]']
  ],
  [
    'has users named otherwise',
    filter({ type: 'user', subtypes: ['ip', 'id'] }),
    filter({ type: 'user', subtypes: ['ip', 'name'] }),
    [
      'risky param.subtype-removed apfilter[*]',
      'additive param.subtype-added apfilter[*]'
    ]
  ],
  [
    'says for the first time how users are named',
    filter({ type: 'user' }),
    filter({ type: 'user', subtypes: ['ip'] }),
    []
  ],
  [
    'has a least number above what is sent',
    limit({ min: 1 }),
    limit({ min: 501 }),
    ['risky param.min-raised aplimit']
  ],
  [
    'has for a least number what is sent',
    limit({ min: 1 }),
    limit({ min: 500 }),
    ['note param.min-raised aplimit']
  ],
  [
    'has a lower least number',
    limit({ min: 10 }),
    limit({ min: 1 }),
    ['additive param.min-lowered aplimit']
  ],
  [
    'has a least number now',
    limit({}),
    limit({ min: 1 }),
    ['note param.min-raised aplimit']
  ],
  [
    'has no least number any more',
    limit({ min: 1 }),
    limit({}),
    ['additive param.min-lowered aplimit']
  ],
  [
    'is limited to what is sent',
    limit({ max: 5000 }),
    limit({ max: 500 }),
    ['note param.limit-lowered aplimit']
  ],
  [
    'is limited to less than is sent',
    limit({ max: 500 }),
    limit({ max: 499 }),
    ['risky param.limit-lowered aplimit']
  ],
  [
    'is limited for bots',
    limit({ max: 500, highmax: 5000 }),
    limit({ max: 500, highmax: 1000 }),
    ['note param.limit-lowered aplimit']
  ],
  [
    'takes more values of a caller with other rights',
    other({ multi: '', lowlimit: 50, highlimit: 500, limit: 50 }),
    other({ multi: '', lowlimit: 50, highlimit: 500, limit: 500 }),
    []
  ]
]
