import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** The help center's metadata for search engines. */
export const t = catalogue(
  {
    help: 'Help center',
    about: 'Answers to what is asked again and again.',
  },
  { de: () => import('./words.de.ts') },
)
