import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What the help center says of itself to search engines. */
export const t = catalogue(
  {
    help: 'Help center',
    about: 'Answers to what is asked again and again.',
  },
  { de: () => import('./words.de.ts') },
)
