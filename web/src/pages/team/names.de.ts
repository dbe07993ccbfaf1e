import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  team: 'Team',
  invite: 'Administrator einladen',
  inviteKeywords: 'team kollege mitarbeiter',
})
