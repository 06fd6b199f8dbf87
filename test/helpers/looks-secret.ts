/** Texts of people that look like secrets: names that mean one, values that may be one, and ways to write a pair of them. */

export const digits = 'f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab'
export const session = '7v0kq3m5t9s1u2a4b6c8d0e2f4g6h8ij'

/** Names that mean a secret, with values that are words, numbers, addresses, and secrets of somebody. */
export const values: readonly (readonly [string, string])[] = [
  ['token', 'Wikipedia'],
  ['token', `${digits}+\\`],
  ['csrftoken', digits],
  ['password', 'tart'],
  ['password', 'correct horse battery staple'],
  ['sessionid', session],
  ['email', 'contact@museum.example'],
  ['apikey', 'A7fK29sLq0Zx81Vb3nTe6Wd'],
  ['code', '10115'],
  ['pin', '110001'],
  ['secret', 'Battle_of_Stalingrad_1942'],
  ['address', '10.1.2.3'],
  ['authorization', 'Bearer A7fK29sLq0Zx81Vb3nTe6Wd'],
  ['cookie', `wiki_session=${session}`]
]

/** How people write a pair. */
export const spellings: readonly (readonly [
  string,
  (name: string, value: string) => string
])[] = [
  ['JSON', (name, value) => JSON.stringify({ [name]: value, list: [{ name, value }] })],
  [
    'JavaScript',
    (name, value) => `var x = { ${name}: ${JSON.stringify(value)} }; mw.user.tokens.get()`
  ],
  [
    'a query',
    (name, value) => `https://example.org/?a=1&${name}=${encodeURIComponent(value)}`
  ],
  ['prose', (name, value) => `The ${name} = "${value}" was ${value}.`],
  ['wikitext', (name, value) => `{{Box|${name}=${value}|b=c}}`],
  ['escaped HTML', (name, value) => `&lt;input name=${name} value="${value}"&gt;`]
]

/** Every value in every spelling, one a line. */
export const writtenPairs: readonly string[] = spellings.flatMap(([, spell]) =>
  values.map(([name, value]) => spell(name, value))
)
