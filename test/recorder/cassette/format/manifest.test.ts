import { describe, expect, it } from 'vitest'
import {
  decodeManifest,
  encodeManifest,
  formatNumber,
  newManifest
} from '../../../../src/recorder/cassette/format/manifest.ts'
import { mergeManifests } from '../../../../src/recorder/cassette/merge/merge-manifest.ts'
import { writePretty } from '../../../../src/recorder/json/write-json.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'

describe('cassette.json', () => {
  it('gives back what the wiki is like', () => {
    const manifest = {
      ...newManifest('http://wiki/w/api.php'),
      engine: '1.43.9',
      site: {
        generator: '',
        lang: '',
        namespaces: [],
        ...factsOfWiki('1.43').site,
        configuration: { extensions: [{ name: 'Cite' }], skins: [], usergroups: [] },
        statistics: { edits: 7 }
      },
      describesItself: false,
      sessionCookies: ['meinesitzung', 'sitzung']
    }
    const reading = decodeManifest(JSON.parse(writePretty(encodeManifest(manifest))))
    expect(reading).toEqual({ kind: 'manifest', manifest })
  })

  it('keeps what a person wrote, and drops what earlier versions wrote', () => {
    const text = {
      format: 1,
      upstream: 'http://wiki/w/api.php',
      engine: '',
      owner: { team: 'search', tickets: [7] },
      note: 'ask before recording again',
      judged: ['0123456789ab']
    }
    const reading = decodeManifest(text)
    if (reading.kind !== 'manifest') throw new Error(reading.kind)
    const written = JSON.parse(writePretty(encodeManifest(reading.manifest)))
    const { judged: _, ...kept } = text
    expect(written).toEqual(kept)
    const { manifest: base } = reading
    const other = { ...base, unknown: { ...base.unknown, more: true } }
    expect(mergeManifests(base, { ...base, engine: '1.43.0' }, other)).toMatchObject({
      manifest: {
        engine: '1.43.0',
        unknown: { note: text.note, owner: text.owner, more: true }
      },
      conflicts: []
    })
  })

  it('begins small', () => {
    expect(writePretty(encodeManifest(newManifest('http://wiki/w/api.php')))).toBe(
      `{\n  "engine": "",\n  "format": 1,\n  "upstream": "http://wiki/w/api.php"\n}`
    )
  })

  it.each([
    [null, { kind: 'broken' }],
    [[], { kind: 'broken' }],
    [{}, { kind: 'broken' }],
    [{ format: '1' }, { kind: 'broken' }],
    [{ format: formatNumber + 1 }, { kind: 'too-new', format: formatNumber + 1 }],
    [{ format: formatNumber }, { kind: 'manifest' }]
  ])('%j is %j', (value, expected) => {
    expect(decodeManifest(value)).toMatchObject(expected)
  })
})
