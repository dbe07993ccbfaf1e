import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  refused: 'Ein Scanner hat eine Datei abgelehnt, bevor sie gesendet wurde',
  refusedOf: 'Ein Scanner hat eine Datei von {email} abgelehnt, bevor sie gesendet wurde',
})
