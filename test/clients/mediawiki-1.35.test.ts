/** Real clients against MediaWiki 1.35. */
import { testClients } from './suite.ts'

testClients('1.35')
