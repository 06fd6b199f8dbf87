/** Entry point of the pages. */
import { render } from 'preact'
import { App } from './frame/app.tsx'
import { listenToKeys } from './frame/keys.ts'
import { followAddress } from './store/navigate.ts'

const place = document.getElementById('app')
if (place !== null) {
  place.replaceChildren()
  followAddress()
  render(<App />, place)
  listenToKeys()
}
