import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  noMetrics: 'Keine Messwerte für diese Zeit',
  notCreatedText: 'Den Server gab es da noch nicht. Wählen Sie eine spätere Zeit.',
  stoppedText: 'Der Server war gestoppt. Starten Sie ihn, oder wählen Sie einen längeren Zeitraum.',
  nodeOfflineText:
    'Sein Node war offline. Messwerte gibt es wieder, sobald der Node verbunden ist.',
  unknownText:
    'Messwerte werden aufgezeichnet, solange der Server läuft. Wählen Sie einen längeren Zeitraum.',
  openHistory: 'Verlauf öffnen',
  notCreated: 'Noch nicht erstellt',
  stopped: 'Server gestoppt',
  nodeOffline: 'Node offline',
  unknown: 'Keine Daten',
  cpu: 'CPU',
  network: 'Netzwerk',
  received: 'Empfangen',
  sent: 'Gesendet',
  disk: 'Speicherplatz',
  noteSentence: '{note}.',
  restart: 'Neustart {attempt} von {most} in {seconds} s',
  reinstalled: 'Neu installiert',
  snapshot: 'Snapshot',
})
