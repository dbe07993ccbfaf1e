import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    terminalInput: 'Input of the terminal',
    muchOutput: 'Too much output to read it aloud: go to the rows to read it',
  },
  { de: () => import('./words.de.ts') },
)
