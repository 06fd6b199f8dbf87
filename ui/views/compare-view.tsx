/** Compares two recorded answers: as drift does, and as text. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { CassettePair } from '../compare/cassette-pair.tsx'
import { type DriftReport, suppressedCount } from '../compare/drift-report.ts'
import { FindingCard } from '../compare/finding-card.tsx'
import { SideTitle } from '../compare/side-title.tsx'
import { TextDiff } from '../compare/text-diff.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { plural } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { replaceAddress } from '../store/navigate.ts'
import { linkTo } from '../store/route.ts'
import { useFetch } from '../store/use-fetch.ts'
import type { ViewProps } from './view-props.ts'

interface Comparison {
  readonly keyB: string
  readonly report: DriftReport
}

export function CompareView({ cassette, cassettes, params }: ViewProps): JSX.Element {
  const a = params.get('a') ?? cassette
  const b = params.get('b') ?? cassette
  // The key of one side alone stands for the same request on the other.
  const isFromB = (params.get('key-a') ?? '') === ''
  const [keyA, keyB] = isFromB
    ? [params.get('key-b') ?? '', '']
    : [params.get('key-a') ?? '', params.get('key-b') ?? '']
  const responseA = Number(params.get('response-a'))
  const responseB = Number(params.get('response-b'))
  // Asked for from the side that is known; the report then is turned around by asking again.
  const first = isFromB ? b : a
  const second = isFromB ? a : b
  const found = useFetch<Comparison>(keyA === '' ? undefined : 'api/compare', {
    a: first,
    b: second,
    'key-a': keyA,
    'key-b': keyB,

    'response-a': responseA,
    'response-b': responseB
  })
  useEffect(() => {
    // The older side first, now that its key is known.
    if (isFromB && found.value !== undefined)
      replaceAddress(
        linkTo('compare', { cassette, a, 'key-a': found.value.keyB, b, 'key-b': keyA })
      )
  }, [isFromB, found.value])
  if (keyA === '')
    return (
      <div class="column">
        <h1>Compare</h1>
        <p>
          Open a recording in <a href={linkTo('cassette', { cassette })}>the cassette</a>,
          and choose its part <b>Compare</b>: with the same request in another cassette,
          with another of its answers, or with any other recording. Whole cassettes are
          compared by <a href={linkTo('drift', { cassette })}>Drift</a>.
        </p>
      </div>
    )
  return (
    <div class="column compare">
      <div class="bar">
        <h1>Compare</h1>
        {cassettes.length > 1 && (
          <CassettePair
            a={a}
            b={b}
            cassettes={cassettes}
            link={(pair) => linkTo('compare', { cassette, ...pair, 'key-a': keyA })}
          />
        )}
      </div>
      <Fetched state={found}>
        {({ keyB: other, report }) => {
          const findings = report.findings.filter(({ requests }) => requests > 0)
          return (
            <>
              <div class="sides">
                <SideTitle letter="A" cassette={first} id={keyA} response={responseA} />
                <SideTitle letter="B" cassette={second} id={other} response={responseB} />
              </div>
              <h2>As drift compares them</h2>
              <p class={findings.length === 0 ? 'good' : 'quiet'} role="status">
                {findings.length === 0
                  ? 'No drift: a client cannot tell them apart.'
                  : plural(findings.length, 'finding')}
                {suppressedCount(report) > 0 &&
                  ` ${plural(suppressedCount(report), 'difference')} suppressed as noise.`}
              </p>
              {report.remarks
                .filter(({ fatal }) => fatal)
                .map(({ text }) => (
                  <p key={text} class="quiet">
                    <Text>{text}</Text>
                  </p>
                ))}
              {findings.map((one) => (
                <FindingCard key={one.fingerprint} finding={one} a={a} b={a} />
              ))}
              <h2>As text</h2>
              <TextDiff
                a={{ cassette: first, key: keyA, response: responseA }}
                b={{ cassette: second, key: other, response: responseB }}
              />
            </>
          )
        }}
      </Fetched>
    </div>
  )
}
