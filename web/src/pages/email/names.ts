import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    email: 'E-mail',
    templates: 'Mail templates',
    templatesKeywords: 'wording texts mails',
  },
  { de: () => import('./names.de.ts') },
)
