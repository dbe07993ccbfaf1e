import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What people are told of their accounts. */
export const t = catalogue(
  {
    emailChanged: 'Your e-mail address was changed',
    signInWith: 'You now sign in with {email}.',
  },
  { de: () => import('./words.de.ts') },
)
