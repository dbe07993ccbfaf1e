import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    command: 'curl command',
    commandOf: 'curl command: {action}',
    bySession:
      'No API token can do this. LODGE_SESSION is the panel_session cookie of a signed-in browser; keep it like a password.',
    byToken: 'LODGE_TOKEN is an API token with the scope “{scope}”.',
    none: 'No changes yet',
    noneText: 'What you change in this tab appears here as a command for the API.',
  },
  { de: () => import('./words.de.ts') },
)
