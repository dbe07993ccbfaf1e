import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  group: 'Seiten von Plugins',
  missing: 'Diese Seite gibt es nicht',
  missingText:
    'Das Plugin, das sie hatte, wurde abgeschaltet oder entfernt, oder die Seite ist nicht für Sie.',
  silent: 'Die Seite startet nicht',
  silentText: 'Laden Sie sie neu. Wenn das nicht hilft, hat das Plugin einen Fehler.',
  stopped: 'Die Seite wurde angehalten',
  stoppedText: 'Sie hat mehr Nachrichten gesendet, als eine Seite darf.',
  again: 'Neu laden',
  busy: 'Die Seite fragt zu viel auf einmal',
  notValid: 'Eine Frage einer Seite ist JSON von höchstens 64 KiB',
  noSuchPath: 'Diese Seite gibt es im Panel nicht',
})
