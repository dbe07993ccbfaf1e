import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about accounts. */
export const t = catalogue(
  {
    emailChanged: 'Your e-mail address was changed',
    signInWith: 'You now sign in with {email}.',
  },
  { de: () => import('./words.de.ts') },
)
