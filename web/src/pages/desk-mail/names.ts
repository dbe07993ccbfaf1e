import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    mail: 'Mail and reports',
    mailKeywords: 'support inbound email bridge smtp webhook secret abuse form',
    macros: 'Macros',
    macrosKeywords: 'support canned answers snippets desk',
  },
  { de: () => import('./names.de.ts') },
)
