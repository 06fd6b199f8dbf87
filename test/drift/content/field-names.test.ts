/** What the name and place of a field say of its values: content, settings, words for people, sets, orders. */
import { describe, expect, it } from 'vitest'
import { itemPath, type Path, pathOf } from '../../../src/drift/changes/change.ts'
import {
  holdsContent,
  holdsHumanText,
  holdsStatus,
  isAt,
  isClosedSet,
  isDictionary,
  isInDictionary,
  isUnordered
} from '../../../src/drift/content/field-names.ts'

const inItem = (list: Path, ...names: readonly string[]): Path =>
  names.reduce<Path>(
    (parent, step) => ({ kind: 'member', step, parent }) as Path,
    itemPath(list, 'x')
  )

describe.each([
  [
    'content',
    holdsContent,
    [
      pathOf('query', 'pageprops'),
      pathOf('query', 'pageprops', 'any'),
      pathOf('query', 'general', 'phpversion'),
      inItem(inItem(pathOf('entities'), 'labels'), 'value'),
      inItem(itemPath(pathOf('claims'), 'P1'), 'mainsnak', 'datavalue', 'value', 'amount')
    ],
    [
      pathOf('query', 'general', 'case'),
      inItem(itemPath(pathOf('claims'), 'P1'), 'mainsnak', 'datatype'),
      inItem(pathOf('query', 'labels'), 'value')
    ]
  ],
  [
    'words for people',
    holdsHumanText,
    [
      pathOf('error', 'info'),
      pathOf('query', 'messages', 'any'),
      inItem(pathOf('query', 'allmessages'), 'content')
    ],
    [pathOf('query', 'pages'), pathOf('edit', 'result')]
  ],
  ['a status', holdsStatus, [pathOf('edit', 'result')], [pathOf('edit', 'title')]],
  [
    'a closed set',
    isClosedSet,
    [pathOf('query', 'userinfo', 'rights')],
    [pathOf('query', 'links')]
  ],
  [
    'without an order',
    isUnordered,
    [pathOf('query', 'userinfo', 'rights'), pathOf('query', 'links')],
    [pathOf('query', 'allpages')]
  ],
  [
    'ranked',
    (path: Path) => isAt(path, 'ranked'),
    [pathOf('query', 'search')],
    [pathOf('query', 'allpages')]
  ],
  [
    'a dictionary',
    isDictionary,
    [
      pathOf('query', 'pageprops'),
      pathOf('entities'),
      inItem(pathOf('entities'), 'labels'),
      inItem(pathOf('entities'), 'claims'),
      pathOf('entity', 'aliases'),
      pathOf('claims'),
      inItem(itemPath(pathOf('claims'), 'P1'), 'qualifiers')
    ],
    [
      pathOf('query', 'pages'),
      itemPath(pathOf('query', 'x'), 'pageprops'),
      pathOf('query', 'labels'),
      inItem(pathOf('query', 'x'), 'claims'),
      itemPath(pathOf('entities'), 'Q1')
    ]
  ],
  [
    'inside of a dictionary',
    isInDictionary,
    [pathOf('query', 'pageprops', 'any'), pathOf('query', 'pageprops', 'any', 'deep')],
    [pathOf('query', 'pageprops'), pathOf('query', 'pages', 'any')]
  ]
] as const)('%s', (_, holds, yes, no) => {
  it('by its name or place', () => {
    expect(yes.map((path) => holds(path))).toEqual(yes.map(() => true))
    expect(no.map((path) => holds(path))).toEqual(no.map(() => false))
  })
})
