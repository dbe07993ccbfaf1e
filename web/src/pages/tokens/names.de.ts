import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  tokens: 'API-Tokens',
  newToken: 'Neues API-Token',
  newTokenKeywords: 'schlüssel programm',
})
