/** A report with everything in it: all severities, both axes, hostile and wide text. */
import { type ComparisonOptions, compareCassettes } from '../../../src/drift/compare.ts'
import type { DriftReport } from '../../../src/drift/findings/drift-report.ts'
import { side } from '../sides.ts'

/** Text that would break a careless report: script, markup, mention, control and bidi characters. */
export const hostile: string =
  '</script><script>alert(1)</script> @everyone <img src=x onerror=alert(2)> `|` \u001b[31m \u202e'

export function sampleReport(options: ComparisonOptions = {}): DriftReport {
  const pages = 'action=query&list=allpages&apfrom=Ёлка'
  const a = side('cassettes/ru-1.35', {
    [pages]: {
      query: {
        allpages: [{ title: 'Ёлка 東京 é', length: 5, doomed: hostile, limit: 10 }]
      }
    },
    'action=tokens&type=edit': { tokens: { edittoken: '+\\' } },
    'action=parse&page=Волга': { parse: { text: '<p>река <b>Волга</b></p>' } },
    'action=query&meta=siteinfo': {
      query: { general: { time: '2026-01-01T00:00:00Z', timeoffset: 0 } }
    }
  })
  const b = side('cassettes/ru-1.39', {
    [pages]: {
      query: {
        allpages: [{ title: 'Ёлка 東京 é', length: 6, [hostile]: 'new', limit: 20 }]
      }
    },
    'action=tokens&type=edit': {
      error: { code: 'badvalue', info: `Unrecognized value: ${hostile}` }
    },
    'action=parse&page=Волга': { parse: { text: '<div><p>река <b>Волга</b></p></div>' } },
    'action=query&meta=siteinfo': {
      query: { general: { time: '2026-01-01T00:00:09Z', timeoffset: 0 } }
    }
  })
  return compareCassettes(a, b, options)
}
