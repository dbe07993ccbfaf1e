import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about mail. */
export const t = catalogue(
  {
    noMail: 'No mail can be sent',
    noMailBody:
      '{waiting, plural, one {One mail waits} other {# mails wait}}, the oldest since {since}. The last attempt: {error}. Check the settings of mail; what waits is sent as soon as they work.',
  },
  { de: () => import('./words.de.ts') },
)
