/** Text as public wikis have it, with much in it that looks like a secret and was none of the traffic. */

/** Numbers that are the same at every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed | 0; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    yield state >>> 10
  }
}

const words =
  'река город вода the history of year and people, в 1897 году населения составила village [[Category:Rivers]] {{Infobox|name=x}} — élan Tōkyō 東京 العربية'.split(
    ' '
  )
const alphabets = [
  '0123456789abcdef',
  '0123456789abcdefghijklmnopqrstuv',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
]

/** Values that a machine made, in the places where articles, documentation and logs quote them. */
const quoting: readonly ((
  value: (alphabet: number, length: number) => string
) => string)[] = [
  (value) => `http://shop.example/buy.do;jsessionid=${value(2, 32)}?item=3`,
  (value) =>
    `https://example.org/?token=${value(0, 40)}%2B%5C&access_token=${value(2, 30)}`,
  (value) => `token=${value(0, 40)}+\\`,
  (value) => `"csrfToken":"${value(0, 40)}+\\\\"`,
  (value) => `sessionid = "${value(1, 32)}"`,
  (value) => `<strong>SHA</strong> ${value(0, 64)} <code>${value(1, 32)}</code>`,
  (value) => `Cookie: enwiki_session=${value(1, 32)}; path=/`,
  (value) => `Authorization: Bearer ${value(2, 40)}`,
  (value) =>
    `Authorization: Basic ${Buffer.from(`user:${value(2, 8)}`).toString('base64')}`,
  (value) => `eyJhbGciOiJIUzI1NiJ9.${value(2, 40)}.${value(2, 43)}`,
  () => '-----BEGIN RSA PRIVATE KEY-----',
  (value) => `https://admin:${value(2, 9)}@example.com/ or mail joe@example.com`,
  () => 'User:198.51.100.23 and 2001:DB8:17::4 wrote',
  (value) => `apikey=${value(2, 24)}&password=hunter2&pin=12345`,
  (value) => `&lt;input name="wpEditToken" value="${value(0, 40)}+\\"&gt;`
]

/** Articles of about `length` characters without end. */
export function* articles(seed: number, length: number): Generator<string> {
  const random = numbers(seed)
  const next = (): number => random.next().value ?? 0
  const value = (alphabet: number, size: number): string => {
    const letters = alphabets[alphabet] ?? ''
    return Array.from({ length: size }, () => letters[next() % letters.length]).join('')
  }
  for (;;) {
    const parts: string[] = []
    for (let size = 0; size < length; ) {
      const part =
        next() % 12 === 0
          ? (quoting[next() % quoting.length]?.(value) ?? '')
          : (words[next() % words.length] ?? '')
      parts.push(part)
      size += part.length + 1
    }
    yield parts.join(' ')
  }
}
