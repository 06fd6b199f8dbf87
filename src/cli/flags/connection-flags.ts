/** Flags of everything that goes out to a wiki. */
import type { Flag } from '../args/command.ts'

/** Who asks, and on which way. */
export const reachFlags: readonly Flag[] = [
  {
    name: 'contact',
    value: 'ADDRESS',
    help: 'who asks, for the User-Agent: your e-mail address or user page (default WIKITAPE_CONTACT)',
  },
  { name: 'user-agent', value: 'TEXT', help: 'the whole User-Agent of questions of wikitape’s own' },
  {
    name: 'header',
    value: 'LINE',
    many: true,
    help: "send this header as well, e.g. 'X-Access: secret'; never recorded",
  },
  { name: 'cacert', value: 'FILE', help: 'believe this certificate authority too (PEM)' },
  { name: 'insecure', help: 'believe any certificate: anybody on the way can read and change everything' },
]

/** For verbs that ask by themselves, without a client. */
export const patienceFlags: readonly Flag[] = [
  { name: 'retries', value: 'N', help: 'ask again so often after overload and resets (default 5)' },
  { name: 'max-wait', value: 'SECONDS', help: 'wait so long for one answer, all in all (default 300)' },
  {
    name: 'concurrency',
    value: 'N',
    help: 'questions under way at a time, for a wiki of your own (default 1)',
  },
  {
    name: 'login',
    value: 'NAME',
    help: 'ask as this user; the password comes from WIKITAPE_PASSWORD or is asked for',
  },
]
