import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about SSH keys. */
export const t = catalogue(
  {
    keyAdded: 'An SSH key was added to your account',
    keyAddedBody:
      '{name} ({fingerprint}). It opens the files of your servers: remove it if it is not yours.',
  },
  { de: () => import('./words.de.ts') },
)
