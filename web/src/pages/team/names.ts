import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    team: 'Team',
    invite: 'Invite administrator',
    inviteKeywords: 'team colleague staff',
  },
  { de: () => import('./names.de.ts') },
)
