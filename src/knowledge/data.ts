/**
 * The files below data/, read when somebody first wants to know. By `require`, which every Node.js reads JSON with
 * without a warning, also where modules run in a realm of their own (vitest's `vmThreads`).
 */
import { createRequire } from 'node:module'

const require: NodeJS.Require = createRequire(import.meta.url)

/** The parsed file, the same object each time. */
export const dataFile = (name: 'modules' | 'lists' | 'generators' | 'props' | 'oddities'): unknown =>
  require(`./data/${name}.json`)
