import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    templates: 'Templates',
    newTemplate: 'New template',
    importTemplate: 'Import template',
  },
  { de: () => import('./names.de.ts') },
)
