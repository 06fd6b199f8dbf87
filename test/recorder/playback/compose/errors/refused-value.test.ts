/** A value that a description refuses, in a request that was answered with another one; texts as 1.35, 1.39 and 1.43 wrote them. */
import { describe, expect, test } from 'vitest'
import { writeCompact } from '../../../../../src/recorder/json/write-json.ts'
import { composeRefusal } from '../../../../../src/recorder/playback/compose/errors/refused-value.ts'
import { derive } from '../../../../../src/recorder/request/derive.ts'
import { apiRequest } from '../../../../helpers/api-requests.ts'
import { tapeOf } from '../../../paging/tape.ts'

const { facts, record } = tapeOf()
const answer = { batchcomplete: '', query: { allpages: [] } }
const help = 'See api.php for API usage.'
const error = record('list=blocks&bkshow=ip|!ip', {
  error: { code: 'show', info: 'Incorrect.', '*': help }
})

/** The error that is composed; undefined where there is none. */
function refused(
  recorded: string,
  asked: string,
  said: object = answer,
  errors = [error]
): unknown {
  const wanted = derive(apiRequest(`action=query&format=json&${asked}`), facts)
  const found = composeRefusal(wanted, [record(recorded, said)], errors, facts)
  return found && JSON.parse(writeCompact(found.body, 'utf8'))
}

const badInteger = (value: string, name: string): object => ({
  error: {
    code: 'badinteger',
    info: `Invalid value "${value}" for integer parameter "${name}".`,
    '*': help
  }
})

const badValue = (value: string, name: string): object => ({
  error: {
    code: 'badvalue',
    info: `Unrecognized value for parameter "${name}": ${value}.`,
    '*': help
  }
})

describe('the error for a refused value', () => {
  test.each([
    ['list=allpages', 'list=allpages&aplimit=2.0', badInteger('2.0', 'aplimit')],
    ['list=allpages', 'list=allpages&aplimit= 5', badInteger(' 5', 'aplimit')],
    [
      'list=allpages&aplimit=5',
      'list=allpages&aplimit=5|6',
      badInteger('5|6', 'aplimit')
    ],
    [
      'list=allpages',
      'list=allpages&apminsize=1e3&apfrom=Map',
      badInteger('1e3', 'apminsize')
    ],
    ['list=allpages', 'list=allpages&apdir=bogus', badValue('bogus', 'apdir')],
    [
      'list=allpages&apdir=ascending',
      'list=allpages&apdir=&aplimit=50',
      badValue('', 'apdir')
    ],
    ['list=blocks', 'list=blocks&bkids=4|x|y', badInteger('x', 'bkids')],
    ['prop=info&pageids=4|5', 'prop=info&pageids=5|4.0', badInteger('4.0', 'pageids')]
  ])('%s answered: %s', (recorded, asked, said) => {
    expect(refused(recorded, asked)).toEqual(said)
  })

  test.each([
    [
      'a module that may refuse it first',
      'list=backlinks|allpages&bltitle=A',
      'list=backlinks|allpages&bltitle=<&aplimit=x'
    ],
    ['a parameter that must be sent', 'list=search&srsearch=A', 'list=search&srlimit=x'],
    [
      'a deprecated parameter',
      'action=compare&fromtitle=A&totitle=B',
      'action=compare&fromtitle=A&totitle=B&fromcontentmodel=bogus'
    ],
    ['two values', 'list=allpages', 'list=allpages&aplimit=x&apdir=y'],
    ['a number', 'list=allpages', 'list=allpages&aplimit=%2B5'],
    ['max', 'list=allpages', 'list=allpages&aplimit=max'],
    [
      'a list, of which unknown values are warned of',
      'list=blocks',
      'list=blocks&bkprop=x'
    ],
    ['a module with another code', 'list=logevents', 'list=logevents&leaction=x/y'],
    ['markup', 'list=allpages', 'list=allpages&apdir=<b>'],
    ['a blank that is left out', 'list=allpages', 'list=allpages&apdir= ascending'],
    ['blanks that become one', 'list=allpages', 'list=allpages&aplimit=  5'],
    ['blanks alone', 'list=allpages', 'list=allpages&aplimit=  '],
    [
      'an error in another form',
      'list=allpages',
      'list=allpages&aplimit=x&errorformat=html'
    ]
  ])('is not composed for %s', (_, recorded, asked) => {
    expect(refused(recorded, asked)).toBeUndefined()
  })

  test('is not known where the other request was warned or refused, or no error shows how it ends', () => {
    const asked = 'list=allpages&aplimit=x'
    const warnings = { allpages: { '*': 'Old.' } }
    const ofTwo = { error: { code: 'a', info: 'b', docref: help } }
    expect(refused('list=allpages', asked)).toBeDefined()
    expect(refused('list=allpages', asked, { ...answer, warnings })).toBeUndefined()
    expect(refused('list=allpages', asked, { error: { code: 'a' } })).toBeUndefined()
    expect(refused('list=allpages', asked, answer, [])).toBeUndefined()
    const second = 'list=allpages&formatversion=2'
    const docref = record(`${second}&apfrom=<`, ofTwo)
    expect(refused('list=allpages', asked, answer, [docref])).toBeUndefined()
    expect(refused(second, `${second}&aplimit=x`, answer, [docref])).toHaveProperty(
      'error.docref',
      help
    )
  })

  test('the value is read before its module checks others, and before later modules', () => {
    const error = (code: string, info = 'No.'): object => ({ error: { code, info } })
    const asked = 'list=filearchive&fasha1=x&falimit=y'
    const said = (recorded: string, wanted: string, body: object): boolean =>
      refused(recorded, wanted, body) !== undefined
    const own = 'list=filearchive&fasha1=x'
    expect(said(own, asked, error('invalidsha1hash'))).toBe(true)
    expect(said(own, asked, error('readapidenied'))).toBe(false)
    const ofValue = 'Unrecognized value for parameter "fadir": z.'
    expect(said(own, asked, error('badvalue', ofValue))).toBe(false)
    const prop = 'generator=allpages&prop=stashimageinfo'
    expect(said(prop, `${prop}&gaplimit=y`, error('notloggedin'))).toBe(true)
    const lists = 'list=watchlistraw|allpages'
    expect(said(lists, `${lists}&aplimit=y`, error('notloggedin'))).toBe(false)
  })

  test('what the wiki says of its server in errors is there, and what it is asked to add is not known', () => {
    const body = { error: { code: 'show', info: 'Incorrect.', '*': help } }
    const named = record('list=blocks&bkshow=ip|!ip', { ...body, servedby: 'mw1' })
    const asked = 'list=allpages&aplimit=x'
    expect(refused('list=allpages', asked, answer, [named])).toEqual({
      ...badInteger('x', 'aplimit'),
      servedby: 'mw1'
    })
    for (const more of ['&curtimestamp=1', '&servedby=1'])
      expect(refused(`list=allpages${more}`, asked + more)).toBeUndefined()
    const timed = record('list=blocks&curtimestamp=1', { ...body, curtimestamp: 'T' })
    expect(refused('list=allpages', asked, answer, [timed])).toBeUndefined()
  })

  test('a list shows no warnings, so what other values draw is not known', () => {
    const asked = 'action=opensearch&search=A&redirects=bogus'
    const wanted = derive(apiRequest(`${asked}&format=json`), facts)
    const { canonical: request } = derive(
      apiRequest('action=opensearch&search=A&format=json'),
      facts
    )
    const from = { ...record('list=allpages', ['A', []]), request, sentValues: new Map() }
    expect(composeRefusal(wanted, [from], [error], facts)).toBeUndefined()
  })
})
