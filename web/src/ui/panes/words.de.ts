import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  terminalInput: 'Eingabe des Terminals',
  muchOutput: 'Zu viel Ausgabe zum Vorlesen: Gehen Sie zu den Zeilen, um sie zu lesen',
})
