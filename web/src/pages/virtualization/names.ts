import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    virtualization: 'Virtualization',
    addMedium: 'Add installation medium',
    addMediumKeywords: 'iso image cloud upload network profile',
  },
  { de: () => import('./names.de.ts') },
)
