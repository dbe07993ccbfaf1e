import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  failed: 'Vom Panel konnte kein Backup erstellt werden',
  overdue: 'Das Panel hat kein aktuelles Backup',
  newestFrom: 'Das neueste ist von {at}. Finden Sie heraus, warum spätere fehlgeschlagen sind.',
  noneYet: 'Noch keines ist gelungen. Finden Sie heraus, warum sie fehlschlagen.',
})
