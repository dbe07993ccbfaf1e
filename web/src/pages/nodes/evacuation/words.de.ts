import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  plan: 'Alle Server umziehen',
  planLabel: 'Was mit den einzelnen Servern geschähe',
  lead: 'Der Node nimmt keine neuen Server an, und die vorhandenen ziehen auf andere Nodes um, wenige zugleich. Jeder läuft, während seine Dateien kopiert werden, und ist nur für die letzten Änderungen aus. Eine virtuelle Maschine ist aus, während ihre Datenträger kopiert werden: Läuft sie, wird sie dafür gestoppt und auf dem neuen Node wieder gestartet. Was nicht umziehen kann, bleibt hier.',
  server: 'Server',
  size: 'Größe',
  target: 'Neuer Node',
  takes: 'Dauert etwa',
  off: 'Aus für etwa',
  targetPlace: '{node} ({location})',
  stays: 'Bleibt hier',
  stops: 'Läuft: wird für den Umzug gestoppt und danach wieder gestartet',
  stopMachines:
    '{count, plural, one {Die laufende virtuelle Maschine} other {Die # laufenden virtuellen Maschinen}} stoppen, umziehen und danach wieder starten; höchstens etwa {longest} aus',
  backupsLeft: '{count, plural, one {# Backup} other {# Backups}} nur auf diesem Node',
  unknown: 'Unbekannt',
  empty: 'Keine Server',
  emptyText: 'Auf diesem Node gibt es nichts umzuziehen.',
  evacuate: '{count, plural, one {# Server} other {# Server}} umziehen',
  nothingMoves: 'Derzeit kann keiner der Server umziehen',
  running: 'Die Server ziehen bereits um',
  title: 'Alle Server von {node} umziehen',
  question:
    '{count, plural, one {# Server zieht} other {# Server ziehen}} auf andere Nodes um. Container sind kurz aus, virtuelle Maschinen, solange ihre Datenträger kopiert werden, und Ports können sich ändern. Der Node nimmt keine neuen Server an, bis Sie ihn freigeben.',
  staying:
    '{count, plural, one {# Server bleibt} other {# Server bleiben}} hier. Den Grund zeigt die Tabelle.',
  runningStay:
    '{count, plural, one {Die laufende virtuelle Maschine bleibt} other {Die # laufenden virtuellen Maschinen bleiben}} hier.',
  parallel: 'Server gleichzeitig',
  parallelHelp: 'Mehr zugleich geht schneller, bremst aber alles andere auf den Nodes.',
  agreeBackups:
    '{count, plural, one {Auch den Server umziehen, dessen Backups} other {Auch die # Server umziehen, deren Backups}} nur dieser Node aufbewahrt; diese lassen sich danach herunterladen, aber nicht wiederherstellen',
  latest: 'Letzte Räumung',
  latestLabel: 'Was aus den einzelnen Servern wurde',
  standing: '{moved} von {total} umgezogen, begonnen <when></when>',
  newNode: 'Neuer Node',
  viewJob: 'Auftrag ansehen',
  result: 'Ergebnis',
  waiting: 'Wartet',
  moving: 'Zieht um',
  moved: 'Umgezogen',
  failed: 'Fehlgeschlagen',
  blocked: 'Geblieben',
  cancelled: 'Abgebrochen',
})
