import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  openServersOf: 'Server von {email} öffnen',
  openLimitsOf: 'Limits von {email} öffnen',
  openNotesOf: 'Notizen zu {email} öffnen',
  openSignInsOf: 'Anmeldungen von {email} öffnen',
  openActivityOf: 'Aktivität von {email} öffnen',
})
