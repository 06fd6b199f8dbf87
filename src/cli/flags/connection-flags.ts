/** Flags of everything that goes out to a wiki. */
import type { Flag } from '../args/command.ts'

/** Who asks, and on which way. */
export const connectionFlags: readonly Flag[] = [
  {
    name: 'contact',
    valueName: 'ADDRESS',
    help: 'who asks, for the User-Agent: your e-mail address or user page (default WIKITAPE_CONTACT)',
  },
  { name: 'user-agent', valueName: 'TEXT', help: 'the whole User-Agent of questions of wikitape’s own' },
  {
    name: 'header',
    valueName: 'LINE',
    repeatable: true,
    help: "send this header as well, e.g. 'X-Access: secret'; never recorded",
  },
  { name: 'cacert', valueName: 'FILE', help: 'believe this certificate authority too (PEM)' },
  { name: 'insecure', help: 'believe any certificate: anybody on the way can read and change everything' },
]

/** For verbs that ask by themselves, without a client. */
export const ownRequestFlags: readonly Flag[] = [
  { name: 'retries', valueName: 'N', help: 'ask again so often after overload and resets (default 5)' },
  { name: 'max-wait', valueName: 'SECONDS', help: 'wait so long for one answer, all in all (default 300)' },
  {
    name: 'concurrency',
    valueName: 'N',
    help: 'questions under way at a time, for a wiki of your own (default 1)',
  },
  {
    name: 'login',
    valueName: 'NAME',
    help: 'ask as this user; the password comes from WIKITAPE_PASSWORD or is asked for',
  },
]
