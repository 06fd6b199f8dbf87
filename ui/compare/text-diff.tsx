/** Two answers as text, line by line; equal lines far from a difference are folded. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { readTree } from '../../src/recorder/json/read-json.ts'
import { escapeControlsInLines } from '../../src/recorder/text/escape-control-characters.ts'
import { prettyLines } from '../json/json-text.ts'
import { Fetched } from '../parts/fetched.tsx'
import { number, plural } from '../parts/format.ts'
import { Scroll } from '../parts/scroll.tsx'
import { fetchBytes } from '../store/server-api.ts'
import type { PickedAnswer } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'

type AnswerRef = Omit<PickedAnswer, 'words'>

const step = 600

export function TextDiff({
  a,
  b
}: {
  readonly a: AnswerRef
  readonly b: AnswerRef
}): JSX.Element {
  const bytesA = useBody(a)
  const bytesB = useBody(b)
  const [count, setCount] = useState(step)
  const lines = useMemo(
    () =>
      bytesA.value && bytesB.value
        ? diffLines(linesOf(bytesA.value), linesOf(bytesB.value))
        : undefined,
    [bytesA.value, bytesB.value]
  )
  return (
    <Fetched state={bytesA}>
      {() => (
        <Fetched state={bytesB}>
          {() =>
            lines === undefined ? (
              <p class="quiet">The two differ too much to compare them line by line.</p>
            ) : lines.every(({ sign }) => sign === ' ' || sign === '…') ? (
              <p class="good">The texts are equal.</p>
            ) : (
              <Scroll label="differences of the texts" kind="diff">
                {lines.slice(0, count).map((line, at) => (
                  <Line key={at} line={line} />
                ))}
                {lines.length > count && (
                  <button type="button" onClick={() => setCount(count + step)}>
                    Show more ({number(lines.length - count)} lines left)
                  </button>
                )}
              </Scroll>
            )
          }
        </Fetched>
      )}
    </Fetched>
  )
}

const useBody = (one: AnswerRef) =>
  useFetch<ArrayBuffer>(
    'api/body',
    { cassette: one.cassette, key: one.key, response: one.response },
    { by: fetchBytes }
  )

function linesOf(bytes: ArrayBuffer): readonly string[] {
  const text = new TextDecoder().decode(bytes)
  const tree = readTree(text)
  return tree === undefined ? text.split('\n') : prettyLines(tree)
}

const classes = { '+': 'added', '-': 'removed', ' ': '', '…': 'folded' } as const
/** Characters of one line. */
const maxLine = 2_000

const Line = ({
  line: { sign, text, folded }
}: {
  readonly line: DiffLine
}): JSX.Element => (
  <div class={`line ${classes[sign]}`}>
    <span class="sign">{sign}</span>
    {sign === '…' ? (
      plural(folded, 'equal line')
    ) : (
      <bdi dir="auto">{escapeControlsInLines(text.slice(0, maxLine))}</bdi>
    )}
  </div>
)
