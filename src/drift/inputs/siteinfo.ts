/** What a side's wiki says of itself: its engine, and recorded `meta=siteinfo` answers. */
import type { JsonTree } from '../../json/json-tree.ts'
import type { CassetteSide } from './cassette-side.ts'
import { jsonBodies } from './id-renumbering.ts'

/** `1.43.9`, from the manifest or from siteinfo's generator; empty where unknown. */
export const engineOf = ({ manifest }: CassetteSide): string =>
  manifest.engine || (manifest.site?.generator ?? '').replace(/^MediaWiki /, '')

/** Answers to requests for siteinfo. */
export const siteinfoBodies = ({ interactions }: CassetteSide): readonly JsonTree[] =>
  jsonBodies(interactions.filter(({ request }) => request.get('meta')?.split('|').includes('siteinfo')))
