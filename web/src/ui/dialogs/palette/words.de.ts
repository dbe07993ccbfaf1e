import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  palette: 'Suche und Befehle',
  search: 'Server, Seiten, Befehle suchen',
  commands: 'Befehle',
  searching: 'Suche läuft…',
  nothing: 'Nichts passt zu „{text}“',
  keys: '<key>↑</key> <key>↓</key> wählen <key>Enter</key> öffnen oder ausführen',
  keysWithCommand:
    '<key>↑</key> <key>↓</key> wählen <key>Enter</key> öffnen oder ausführen <key>Strg Enter</key> als curl anzeigen',
  cancel: 'Abbrechen',
  busy: 'Einen Moment…',
  close: 'Schließen',
  back: 'Zurück zu den Befehlen',
})
