import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  shares: '{inviter} teilt {server} mit Ihnen',
  hostShares: 'Der Anbieter teilt {server} mit Ihnen',
  invitationText: 'Sie dürfen: {permissions}. Die Einladung läuft <when></when> ab.',
  oneMoment: 'Einen Moment',
  accept: 'Annehmen',
  acceptNamed: 'Einladung zu {server} annehmen',
  accepted: 'Sie haben Zugriff auf {server}',
  acceptRefused: 'Die Einladung zu {server} konnte nicht angenommen werden',
  decline: 'Ablehnen',
  declineNamed: 'Einladung zu {server} ablehnen',
  declined: 'Einladung zu {server} abgelehnt',
  declineRefused: 'Die Einladung zu {server} konnte nicht abgelehnt werden',
})
