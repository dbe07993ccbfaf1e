import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  { emailAndName: '{email} ({name})' },
  { de: () => import('./words.de.ts') },
)
