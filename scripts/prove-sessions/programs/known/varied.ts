/** Wrong in another order, or with steps left out. */

import { Script } from '../script.ts'
import {
  block,
  exchanged,
  exchangedValues,
  first,
  type Known,
  known,
  madeUp,
  of,
  pixel,
  upload,
  without
} from './known.ts'

export const inVariants: readonly Known[] = [
  known(
    'two edits exchanged',
    (s) =>
      s
        .login(0, 'Bob')
        .edit(0, 'Prove A', 'a')
        .edit(0, 'Prove B', 'b')
        .read(0, 'recentchanges')
        .read(0, 'usercontribs')
        .read(0, 'watchlist')
        .read(0, 'allrevisions'),
    exchanged(of('edit', 'Prove A'), of('edit', 'Prove B'))
  ),
  known(
    'a purge and an edit exchanged',
    (s) =>
      s
        .login(0, 'Bob')
        .edit(0, 'Prove C', 'there')
        .post(0, { action: 'purge', titles: 'Prove V', forcelinkupdate: '1' })
        .read(0, 'membersofv'),
    exchanged(of('edit'), of('purge'))
  ),
  known(
    'the same before and after two writes, with the second alone',
    (s) =>
      s
        .login(0, 'Bob')
        .read(0, 'expanded')
        .edit(0, 'Prove C', 'x')
        .read(0, 'expanded')
        .edit(0, 'Prove E', 'y')
        .read(0, 'expanded'),
    without(of('edit', 'Prove C'))
  ),
  known(
    'a watchlist without an unwatch',
    (s) =>
      s
        .login(0, 'Admin')
        .login(1, 'Dora')
        .read(1, 'watchedtalks')
        .post(1, { action: 'watch', titles: 'Prove P', unwatch: '1', token: '{watch}' })
        .read(1, 'watchedtalks')
        .edit(0, 'Talk:Prove P', 'talk')
        .read(1, 'watchedtalks'),
    without(of('watch'))
  ),
  known(
    'a watchlist of one session without an unwatch',
    (s) =>
      s
        .login(0, 'Dora')
        .read(0, 'watchedtalks')
        .post(0, { action: 'watch', titles: 'Prove P', unwatch: '1', token: '{watch}' })
        .read(0, 'watchedtalks')
        .edit(0, 'Talk:Prove P', 'talk', { watchlist: 'nochange' })
        .read(0, 'watchedtalks'),
    without(of('watch'))
  ),
  known(
    'a move of a talk page that is not there',
    (s) =>
      s
        .login(0, 'Admin')
        .post(0, { action: 'delete', title: 'Talk:Prove A', token: '{csrf}' })
        .post(0, {
          action: 'move',
          from: 'Prove A',
          to: 'Prove M',
          movetalk: '1',
          token: '{csrf}'
        }),
    without(of('delete'))
  ),
  known(
    'an edit through a redirect to another page',
    (s) =>
      s
        .login(0, 'Admin')
        .login(1, 'Bob')
        .edit(1, 'Prove R', '#REDIRECT [[Prove B]]')
        .post(0, {
          action: 'edit',
          title: 'Prove R',
          appendtext: 'x',
          redirect: '1',
          token: '{csrf}'
        }),
    without(of('edit', '#REDIRECT [[Prove B]]'))
  ),
  known(
    'a partial block of a page that is missing',
    (s) =>
      s
        .login(0, 'Admin')
        .edit(0, 'Prove C', 'x')
        .post(0, {
          ...block('Dora'),
          partial: '1',
          pagerestrictions: 'Prove C',
          allowusertalk: '1'
        }),
    without(of('edit'))
  ),
  known(
    'an upload beside another',
    (s) =>
      s
        .login(0, 'Admin')
        .file(0, { ...upload, filename: 'Prove U.png' }, pixel)
        .file(0, upload, pixel),
    without(of('upload', 'Prove U.png'))
  ),
  known(
    'an edit by a user who was blocked',
    (s) =>
      s
        .login(0, 'Admin')
        .login(1, 'Dora')
        .post(0, block('Dora'))
        .edit(1, 'Prove C', 'x')
        .read(0, 'revisions', { title: 'Prove C' }),
    without(of('block'))
  ),
  known(
    'a stale edit left out',
    (s) =>
      s
        .login(0, 'Bob')
        .edit(0, 'Prove C', 'x')
        .edit(0, 'Prove C', 'y', { basetimestamp: '2027-01-01T00:00:00Z' })
        .edit(0, 'Prove C', 'y', { basetimestamp: '{time:Prove C}' }),
    without(of('edit', '{time:Prove C}')),
    without(of('edit', '2027-01-01T00:00:00Z')),
    exchanged(of('edit', '2027-01-01T00:00:00Z'), of('edit', '{time:Prove C}'))
  ),
  known(
    'an edit with a wrong checksum',
    (s) =>
      s
        .login(0, 'Bob')
        .edit(0, 'Prove C', 'x', { md5: '9dd4e461268c8034f5c8564e155c67a6' })
        .edit(0, 'Prove E', 'x', { md5: '0dd4e461268c8034f5c8564e155c67a6' }),
    exchangedValues('md5')
  ),
  known(
    'a stale edit by another user',
    (s) =>
      s
        .login(0, 'Bob')
        .login(1, 'Dora')
        .read(0, 'revisions')
        .edit(1, 'Prove A', 'x')
        .edit(0, 'Prove A', 'y', {
          basetimestamp: '2027-01-01T00:01:00Z',
          starttimestamp: '2027-01-04T00:03:00Z'
        })
        .read(0, 'revisions'),
    without(of('edit', 'x'))
  ),
  known(
    'a token of a session that has ended',
    (s) => s.login(0, 'Admin').logout(0).login(0, 'Bob').edit(0, 'Prove C', 'x'),
    (steps) => steps.filter(({ at }) => at !== 6)
  ),
  known(
    'reads before the edit of another',
    (s) =>
      s
        .login(0, 'Admin')
        .edit(0, 'Prove C', 'x')
        .read(0, 'revisions', { title: 'Prove C' })
        .read(1, 'revisions', { title: 'Prove C' }),
    without(of('edit')),
    first(1),
    exchanged(of('edit'), of('revisions'))
  ),
  known(
    'reads before the edit of another login',
    (s) =>
      s
        .login(0, 'Bob')
        .login(1, 'Bob', 'clientlogin')
        .edit(0, 'Prove C', 'x')
        .read(1, 'revisions', { title: 'Prove C' })
        .read(1, 'usercontribs'),
    first(1),
    without(of('edit'))
  ),
  known(
    'a wrong password left out',
    (s) => s.login(0, 'Bob', 'login', 'wrong').login(0, 'Bob').read(0, 'userinfo'),
    (steps) => steps.slice(3)
  ),
  known(
    'cookies that somebody made up',
    (s) => s.login(0, 'Admin').read(0, 'watchlistraw').read(0, 'hasmsg'),
    (steps) => [
      ...steps,
      ...new Script('')
        .cookies(1, madeUp)
        .read(1, 'watchlistraw')
        .read(1, 'hasmsg')
        .program.steps.map((step) => ({ ...step, at: step.at + steps.length }))
    ]
  )
]
