import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  pending: 'Eine Registrierung wartet auf Freischaltung',
})
