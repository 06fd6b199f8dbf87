/** Accounts, rights, watchlists, what was seen. */
import { more, pick, posts, type Write } from './write.ts'

export const people: Readonly<Record<string, Write>> = {
  block: {
    does: posts(({ user, draw }) => ({
      action: 'block',
      user: user === 'Admin' ? 'Dora' : user,
      reason: 'b',
      expiry: 'never',
      ...more(draw, [
        {},
        { autoblock: '1' },
        { hidename: '1', reblock: '1' },
        { nocreate: '1' },
        { partial: '1', pagerestrictions: 'Prove A' }
      ])
    })),
    seen: [
      'blocks',
      'users',
      'userinfo',
      'can',
      'history',
      'contributors',
      'logevents',
      'blocked'
    ]
  },
  unblock: {
    does: posts(({ user }) => ({ action: 'unblock', user })),
    seen: ['blocks', 'users', 'userinfo', 'can', 'blocked']
  },
  userrights: {
    does: posts(
      ({ user, draw }) => ({
        action: 'userrights',
        user,
        [pick(draw, ['add', 'remove'] as const)]: pick(draw, ['sysop', 'bot'] as const),
        reason: 'r'
      }),
      'userrights'
    ),
    seen: ['users', 'userinfo', 'can', 'usergroups', 'deletedrevisions', 'logevents']
  },
  options: {
    does: posts(({ draw }) => ({
      action: 'options',
      ...more(draw, [
        { change: 'language=en' },
        { change: 'skin=timeless' },
        { optionname: 'gender', optionvalue: 'female' },
        { reset: '1' }
      ])
    })),
    seen: ['userinfo', 'message', 'parse']
  },
  createaccount: {
    does: (script, { who, draw }) => {
      const word = 'Some-passw0rd-17'
      const account = { username: `Prover ${draw(3)}`, password: word, retype: word }
      script.post(who, {
        action: 'createaccount',
        ...account,
        createreturnurl: 'http://127.0.0.1/',
        createtoken: '{createaccount}'
      })
    },
    seen: ['allusers', 'usergroups', 'statistics', 'logevents', 'users']
  },
  watch: {
    does: posts(
      ({ title, draw }) => ({
        action: 'watch',
        titles: title,
        ...more(draw, [{}, { unwatch: '1' }])
      }),
      'watch'
    ),
    seen: ['watched', 'watchlist', 'watchlistraw']
  },
  seen: {
    does: posts(({ title, draw }) => ({
      action: 'setnotificationtimestamp',
      ...more(draw, [
        { titles: title },
        { entirewatchlist: '1' },
        { titles: title, timestamp: '2027-01-02T00:00:00Z' }
      ])
    })),
    seen: ['watched', 'watchlist', 'watchlistraw', 'userinfo']
  },
  clearhasmsg: {
    does: (script, { who }) => void script.post(who, { action: 'clearhasmsg' }),
    seen: ['hasmsg', 'userinfo']
  },
  thank: {
    does: posts(({ title }) => ({ action: 'thank', rev: `{rev:${title}}` })),
    seen: ['notifications', 'logevents']
  },
  markread: {
    does: posts(() => ({ action: 'echomarkread', all: '1' })),
    seen: ['notifications', 'unread']
  },
  subscribe: {
    does: posts(({ draw }) => ({
      action: 'discussiontoolssubscribe',
      page: 'Talk:Prove A',
      commentname: 'h-Admin-2027-01-01T00:00:00.000Z',
      subscribe: pick(draw, ['1', ''] as const)
    })),
    seen: ['threads', 'notifications']
  },
  view: {
    does: (script, { who, title }) =>
      void script.path(who, 'GET', `/w/index.php?title=${encodeURIComponent(title)}`),
    seen: ['watched', 'watchlist', 'hasmsg', 'watchlistraw', 'notifications']
  }
}
