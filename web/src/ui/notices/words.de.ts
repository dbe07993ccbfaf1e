import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  panelFailed: 'Im Panel ist etwas schiefgegangen',
  tryAgain: 'Erneut versuchen',
  request: 'Anfrage <id></id>',
  copyRequestId: 'Anfrage-ID kopieren',
  closeMessage: 'Meldung schließen',
  close: 'Schließen',
  checkConnection: 'Prüfen Sie Ihre Verbindung und laden Sie die Seite dann neu.',
})
