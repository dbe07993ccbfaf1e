import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    openServersOf: 'Open servers of {email}',
    openLimitsOf: 'Open limits of {email}',
    openNotesOf: 'Open notes on {email}',
    openSignInsOf: 'Open sign-ins of {email}',
    openActivityOf: 'Open activity of {email}',
  },
  { de: () => import('./words.de.ts') },
)
