import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  documentation: 'Dokumentation',
  forEverybody: 'Ihre Server und Ihr Konto',
  forOperators: 'Der Betrieb des Hosts',
  forPrograms: 'Programmieren',
  apiReference: 'API-Referenz',
})
