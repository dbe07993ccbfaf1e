import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about schedules. */
export const t = catalogue(
  {
    failed: '{schedule} of {server} failed',
    missed: '{schedule} of {server} did not run',
    missedTimes:
      '{count, plural, one {It was due on {at}, when the panel was not running or not connected to the node.} other {It was due # times while the panel was not running or not connected to the node, last on {at}.}}',
    message: 'A message from a schedule of {server}',
  },
  { de: () => import('./words.de.ts') },
)
