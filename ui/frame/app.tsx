/** The pages, once it is known what the server serves. */
import type { JSX } from 'preact'
import type { AboutView } from '../../src/pages/views.ts'
import { Fetched } from '../parts/fetched.tsx'
import { useFetch } from '../store/use-fetch.ts'
import { Frame } from './frame.tsx'

export function App(): JSX.Element {
  const about = useFetch<AboutView>('api/about')
  return <Fetched state={about}>{(known) => <Frame about={known} />}</Fetched>
}
