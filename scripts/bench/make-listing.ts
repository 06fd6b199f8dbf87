/** Writes the cassette of `npm run bench:paging`: DIR BATCHES ITEMS-A-BATCH. */
import { makeListing } from './listing.ts'

const [dir = '', batches, perBatch] = process.argv.slice(2)
makeListing(dir, Number(batches), Number(perBatch))
