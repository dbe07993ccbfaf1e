import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  refundFailed: 'Die Erstattung von {number} an {email} ist fehlgeschlagen',
  notProvisioned: 'Der Server von {email} ({plan}) konnte nicht erstellt werden',
})
