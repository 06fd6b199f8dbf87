/** Multipart bodies drawn by lot, read by wikitape and by a real PHP: the same fields and files, or wikitape says that it cannot tell. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { labPortBase } from '../../scripts/wiki/lab.ts'
import { parseFormBody } from '../../src/recorder/http/request-body.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'

const port = labPortBase() + 800
/** Says in hex what PHP has made of the request. */
const script = `<?php
header('content-type: application/json');
$all = [];
foreach ($_POST as $name => $value) $all[] = [bin2hex($name), is_array($value) ? '(array)' : bin2hex($value)];
foreach ($_FILES as $name => $file)
  if (!is_array($file['name']) && $file['error'] === 0) $all[] = [bin2hex($name) . ' file', filesize($file['tmp_name'])];
echo json_encode($all);
`
const agent = new Agent({ keepAlive: true })
const url = `http://127.0.0.1:${port}/`

/** Until the end of the test. */
async function startPhp(): Promise<void> {
  const file = path.join(temporaryFolder(), 'index.php')
  writeFileSync(file, script)
  const php = spawn('php', ['-S', `127.0.0.1:${port}`, file], { stdio: 'ignore' })
  onTestFinished(() => void php.kill())
  await expect.poll(() => ask(url).catch(() => undefined)).toMatchObject({ status: 200 })
}

/** Mostly the first ones, so that most bodies are such as clients write. */
const mostly = <T>(usual: readonly T[], ...odd: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) }
  )
const lineEnd = mostly(['\n', '\r\n'], '\r')
const soup = fc
  .array(
    fc.constantFrom(
      'a',
      '--X',
      '--',
      'X',
      '\n',
      '\r',
      '\r\n',
      ' ',
      '=',
      ';',
      '"',
      "'",
      '\\',
      '\0',
      '\n--X',
      '\xd0\x90'
    ),
    { maxLength: 7 }
  )
  .map((parts) => parts.join(''))
const name = fc
  .tuple(
    fc.constantFrom('a', 'b', 'n o', 'd.t', 'q\\"q', 'z\\\\z', 's;s', 'e=e', '\xd0\x90'),
    mostly(['"'], "'", '')
  )
  .map(([text, quote]) => `${quote}${text}${quote}`)
const disposition = fc.oneof(
  { weight: 30, arbitrary: name.map((one) => `form-data; name=${one}`) },
  {
    weight: 30,
    arbitrary: fc
      .tuple(name, name, fc.constantFrom('', "; filename*=utf-8''a%20b"))
      .map(([one, two, again]) => `form-data; name=${one}; filename=${two}${again}`)
  },
  { weight: 1, arbitrary: soup }
)
const part = fc
  .tuple(
    mostly(['--X'], '--X ', '--Xa'),
    disposition,
    lineEnd,
    lineEnd,
    soup,
    fc.constantFrom('', 'X-More: y', ' ; name=folded')
  )
  .map(
    ([boundary, said, end, other, content, more]) =>
      [
        boundary,
        `Content-Disposition: ${said}`,
        ...(more === '' ? [] : [more]),
        '',
        content
      ].join(end) + other
  )
const body = fc
  .tuple(
    fc.array(part, { minLength: 1, maxLength: 4 }),
    mostly(['--X--\n', '--X--\r\n', '--X--'], '\n--', '')
  )
  .map(([parts, end]) => parts.join('') + end)
const contentType = fc.constantFrom(
  'multipart/form-data; boundary=X',
  'multipart/form-data; boundary="X"',
  'Multipart/Form-Data;charset=utf-8;BOUNDARY=X'
)

const hex = (text: string): string =>
  [...text]
    .map((one) =>
      (/^[\udc80-\udcff]$/.test(one)
        ? Buffer.from([one.charCodeAt(0) - 0xdc00])
        : Buffer.from(one)
      ).toString('hex')
    )
    .join('')

it('are read as PHP reads them', async () => {
  await startPhp()
  let read = 0
  await fc.assert(
    fc.asyncProperty(body, contentType, async (text, type) => {
      const bytes = Buffer.from(text, 'latin1')
      const form = parseFormBody({ 'content-type': type }, bytes)
      const { text: said } = await ask(url, {
        method: 'POST',
        headers: { 'content-type': type },
        body: bytes,
        agent
      })
      const theirs = new Map<string, unknown>(JSON.parse(said))
      if (form.unread !== undefined) {
        if (form.unread.why === 'it has no parameters') expect(theirs).toEqual(new Map())
        return
      }
      read += 1
      const fields = [...form.params].map(
        ([one, value]) => [hex(one), hex(value)] as const
      )
      const files = form.files.map((one) => [`${hex(one.name)} file`, one.bytes] as const)
      expect(new Map<string, unknown>([...fields, ...files])).toEqual(theirs)
    }),
    { numRuns: 3000 }
  )
  expect(read).toBeGreaterThan(1000)
})
