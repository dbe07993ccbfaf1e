import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  steps: 'Einrichtung',
  administrator: 'Administrator',
  firstNode: 'Erster Node',
  firstServer: 'Erster Server',
  yourServer: 'Ihr erster Server',
  yourServerLead: 'Wählen Sie, was laufen soll. Alles andere können Sie später ändern.',
  skip: 'Schritt überspringen',
  yourNode: 'Ihr erster Node',
  yourNodeLead:
    'Ein Node ist ein Rechner, auf dem Server laufen. RAM, CPU und Speicherplatz werden erkannt.',
  machine: 'Rechner',
  ready: '{node} ist bereit',
  gettingReady: '{node} wird geprüft',
  createServer: 'Ersten Server erstellen',
  waits: 'Sie können fortfahren, sobald alle Prüfungen bestanden sind.',
  length: 'Länge',
  tooShort: '{length} von mindestens {least} Zeichen',
  longEnough: 'Lang genug',
  veryGood: 'Sehr gut',
  title: 'Lodge einrichten',
  lead: 'Legen Sie den ersten Administrator an. Weitere können Sie später hinzufügen.',
  createAdministrator: 'Administrator anlegen',
  password: 'Passwort',
  create: 'Server erstellen',
  name: 'Name',
})
