/** The steps from the parameters of a request to its key. */
import type { JSX } from 'preact'
import type { AskView } from '../../src/pages/run-views.ts'
import { Text } from '../parts/text.tsx'

export const KeySteps = ({
  steps,
  undescribed
}: {
  readonly steps: AskView['steps']
  readonly undescribed: readonly string[]
}): JSX.Element => (
  <>
    <dl class="pairs">
      {steps.map(({ name, text, counts }, at) => (
        <div key={at} class={counts ? '' : 'dropped'}>
          <dt>
            <Text>{name}</Text>
          </dt>
          <dd>
            <Text>{text}</Text>
          </dd>
        </div>
      ))}
    </dl>
    {undescribed.length > 0 && (
      <p class="quiet">
        Not described by this cassette, so all counts as sent: {undescribed.join(', ')}
      </p>
    )}
  </>
)
