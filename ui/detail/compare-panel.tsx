/** Compares a recording with the same in another cassette, with another of its answers, or with any other answer. */
import type { JSX } from 'preact'
import type { InteractionView } from '../../src/pages/views.ts'
import { Text } from '../parts/text.tsx'
import { Words } from '../parts/words.tsx'
import { linkTo } from '../store/route.ts'
import { setState, useStore } from '../store/store.ts'

export function ComparePanel({
  one: { key, words, responses },
  cassette,
  cassettes
}: {
  readonly one: InteractionView
  readonly cassette: string
  readonly cassettes: readonly string[]
}): JSX.Element {
  const picked = useStore((state) => state.picked)
  const isPicked = picked?.key === key && picked.cassette === cassette
  const here = { b: cassette, 'key-b': key, cassette }
  const others = cassettes.filter((one) => one !== cassette)
  return (
    <>
      <h3>The same request in another cassette</h3>
      {others.length === 0 ? (
        <p class="quiet">There is no other cassette in this folder.</p>
      ) : (
        <ul class="choices">
          {others.map((one) => (
            <li key={one}>
              <a href={linkTo('compare', compareParams(one, cassette, key, cassettes))}>
                <Text>{one}</Text>
              </a>
            </li>
          ))}
        </ul>
      )}
      {responses.length > 1 && (
        <>
          <h3>Its answers with each other</h3>
          <ul class="choices">
            {responses.slice(1).map((_, at) => (
              <li key={at}>
                <a
                  href={linkTo('compare', {
                    ...here,
                    a: cassette,
                    'key-a': key,
                    'response-a': at,
                    'response-b': at + 1
                  })}
                >
                  answer {at + 1} and answer {at + 2}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Any other answer</h3>
      {picked === undefined || isPicked ? (
        <p>
          <button
            type="button"
            aria-pressed={isPicked}
            onClick={() =>
              setState(() => ({ picked: { cassette, key, response: 0, words } }))
            }
          >
            {isPicked ? 'Chosen: now open another recording' : 'Choose this one first'}
          </button>
        </p>
      ) : (
        <p class="links">
          <a
            href={linkTo('compare', { ...here, a: picked.cassette, 'key-a': picked.key })}
          >
            with <Words of={picked.words} /> of <Text>{picked.cassette}</Text>
          </a>
          <button
            type="button"
            onClick={() =>
              setState(() => ({ picked: { cassette, key, response: 0, words } }))
            }
          >
            Choose this one instead
          </button>
        </p>
      )}
    </>
  )
}

/** The older cassette on the left. */
function compareParams(
  other: string,
  cassette: string,
  key: string,
  cassettes: readonly string[]
): Readonly<Record<string, string>> {
  const isOlder = cassettes.indexOf(other) < cassettes.indexOf(cassette)
  return isOlder
    ? { cassette, a: other, 'key-a': '', b: cassette, 'key-b': key }
    : { cassette, a: cassette, 'key-a': key, b: other }
}
