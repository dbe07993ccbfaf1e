import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  help: 'Hilfe-Center',
  about: 'Antworten auf Fragen, die immer wieder gestellt werden.',
})
