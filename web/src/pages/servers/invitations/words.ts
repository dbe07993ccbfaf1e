import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    shares: '{inviter} shares {server} with you',
    hostShares: 'The host shares {server} with you',
    invitationText: 'You may: {permissions}. The invitation expires <when></when>.',
    oneMoment: 'One moment',
    accept: 'Accept',
    acceptNamed: 'Accept {server}',
    accepted: 'You have access to {server}',
    acceptRefused: 'Could not accept {server}',
    decline: 'Decline',
    declineNamed: 'Decline {server}',
    declined: 'Declined {server}',
    declineRefused: 'Could not decline {server}',
  },
  { de: () => import('./words.de.ts') },
)
