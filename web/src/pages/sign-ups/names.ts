import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    pending: 'Pending',
    invitations: 'Invitations',
    newInvitation: 'New invitation',
    newInvitationKeywords: 'invite code sign-up',
  },
  { de: () => import('./names.de.ts') },
)
