/** Real clients against MediaWiki 1.43. */
import { testClients } from './suite.ts'

testClients('1.43')
