/** Entry point of the pages. */
import { render } from 'preact'
import { App } from './app.tsx'
import { listenToKeys } from './keys.ts'

const place = document.getElementById('app')
if (place !== null) {
  place.replaceChildren()
  render(<App />, place)
  listenToKeys()
}
