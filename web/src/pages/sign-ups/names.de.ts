import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  pending: 'Ausstehend',
  invitations: 'Einladungen',
  newInvitation: 'Neue Einladung',
  newInvitationKeywords: 'einladen Code Registrierung',
})
