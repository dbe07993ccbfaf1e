import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    showCommands: 'Show as curl…',
    commandsOf: '{menu} as curl',
  },
  { de: () => import('./words.de.ts') },
)
