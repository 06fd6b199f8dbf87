/** A finding with its examples: before and after. */
import type { JSX } from 'preact'
import { Badge } from '../parts/badge.tsx'
import { plural } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { linkTo } from '../store/route.ts'
import { type Finding, groupOf, type Sample } from './drift-report.ts'
import { markDifference } from './mark-difference.tsx'

export const FindingCard = ({
  finding,
  a,
  b
}: {
  readonly finding: Finding
  /** Cassettes, for links to the answers. */
  readonly a: string
  readonly b: string
}): JSX.Element => (
  <article class="finding">
    <h3>
      <Badge of={groupOf(finding)} /> <Text>{finding.title}</Text>
    </h3>
    <p class="quiet">
      <Text>{[finding.scope, finding.place].filter(Boolean).join(' · ')}</Text> ·{' '}
      {finding.kind} · {plural(finding.count, 'time')}
    </p>
    {finding.hint !== undefined && (
      <p>
        <Text>{finding.hint}</Text>
      </p>
    )}
    {finding.samples.map((sample, at) => (
      <Example key={at} sample={sample} a={a} b={b} />
    ))}
  </article>
)

function Example({
  sample: { path, before, after, note, request },
  a,
  b
}: {
  readonly sample: Sample
  readonly a: string
  readonly b: string
}): JSX.Element {
  const [was, is] =
    before === undefined || after === undefined
      ? [undefined, undefined]
      : markDifference(before, after)
  return (
    <div class="example">
      <p class="quiet">
        <Text>{path}</Text>
        {note !== undefined && <Text>{` · ${note}`}</Text>}
        {request !== undefined && a !== b && (before ?? after) !== undefined && (
          <>
            {' · '}
            <a href={linkTo('compare', { a, 'key-a': request.key, b })}>
              compare the answers
            </a>
          </>
        )}
      </p>
      {before !== undefined && <pre class="before">{was ?? <Text>{before}</Text>}</pre>}
      {after !== undefined && <pre class="after">{is ?? <Text>{after}</Text>}</pre>}
    </div>
  )
}
