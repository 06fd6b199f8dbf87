/** Entry point of the pages. */
import { render } from 'preact'
import { App } from './frame/app.tsx'
import { listenToKeys } from './frame/keys.ts'
import { followRequests } from './store/live-feed.ts'
import { followAddress } from './store/navigate.ts'

const place = document.getElementById('app')
if (place !== null) {
  place.replaceChildren()
  followAddress()
  void followRequests()
  render(<App />, place)
  listenToKeys()
}
