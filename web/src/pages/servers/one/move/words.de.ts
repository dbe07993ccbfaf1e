import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  node: 'Node',
  location: 'Standort',
  fits: 'Geeignet',
  yes: 'Ja',
  no: 'Nein',
  actions: 'Aktionen',
  onlyElsewhere: 'Wenn seine Dateien dort woanders liegen',
  files: 'Dateien',
  filesText: 'Wechseln sie ihren Ort, werden sie kopiert',
  asNow: 'Wie jetzt',
  diskOfNode: 'Auf der Platte des Nodes',
  storageOf: 'Auf dem gemeinsamen Speicher {storage}',
  storage: 'Speicher',
  liesOnDisk: 'Er liegt auf der Platte von {node}.',
  liesOn: 'Er liegt auf dem gemeinsamen Speicher {storage}.',
  liesAway: 'Er liegt auf einem gemeinsamen Speicher, den {node} gerade nicht hat.',
  changeStorageOpen: 'Speicher wechseln…',
  changeStorageOf: 'Speicher von {server} wechseln',
  changeStorage: 'Speicher wechseln',
  newStorage: 'Neuer Speicher',
  changeStorageText:
    'Der Server stoppt, wird kopiert und verglichen und startet auf dem neuen Speicher wieder. Das Original wird erst danach gelöscht und bleibt erhalten, falls etwas fehlschlägt.',
  copyOnDisk: '{node} hat auf der eigenen Platte noch eine Kopie von ihm, von <when></when>.',
  copyOnStorage:
    '{node} hat auf dem gemeinsamen Speicher {storage} noch eine Kopie von ihm, von <when></when>.',
  takeCopyOpen: 'Diese Kopie nehmen…',
  takeCopyOf: 'Die Kopie von {server} nehmen',
  takeCopy: 'Diese Kopie nehmen',
  takeCopyText:
    'Der Server stoppt und startet wieder aus der Kopie von <when></when>. Was er jetzt hat, bleibt, wo es ist: Sobald sein Node diesen Speicher wieder hat, können Sie 7 Tage lang dorthin zurück. Danach wird es gelöscht.',
  takeCopyMisses: 'Der Kopie fehlt, was seitdem geschrieben wurde',
  takeCopyAgree: 'Hinnehmen, dass neuere Dateien, Snapshots und Änderungen an Datenträgern fehlen',
  doesNotFit: 'Der Server passt dort nicht hin',
  givenUp: 'Der letzte Umzug wurde abgebrochen',
  moveHere: 'Hierher umziehen',
  moveToOther: 'Auf einen anderen Node umziehen',
  nodes: 'Nodes',
  noOtherNode: 'Kein anderer Node',
  noOtherNodeText:
    'Sobald ein anderer Node Container-Server ausführen kann, können Sie diesen dorthin umziehen.',
  moveText:
    'Die Dateien werden kopiert, während der Server läuft; für die letzten Änderungen stoppt er kurz. Das Original auf {node} wird erst gelöscht, wenn der Server am neuen Ort gestartet ist, und bleibt erhalten, falls etwas fehlschlägt.',
  moveTextSize:
    'Die Dateien ({size}) werden kopiert, während der Server läuft; für die letzten Änderungen stoppt er kurz. Das Original auf {node} wird erst gelöscht, wenn der Server am neuen Ort gestartet ist, und bleibt erhalten, falls etwas fehlschlägt.',
  moveTitle: '{server} auf {node} umziehen',
  move: 'Server umziehen',
  takes: 'Kopieren: etwa {copy}',
  off: 'Unterbrechung: etwa {off}',
  dialogText:
    'Der Server erhält die Adresse von {node}, mit denselben Ports, falls sie dort frei sind. Zeitpläne, Personen, Einstellungen und Backups bleiben, wie sie sind.',
  unknownSize:
    'Wie lange es dauert, hängt von der Größe der Dateien ab, die noch nicht bekannt ist.',
  backupsLeft:
    'Nur auf {node} {count, plural, one {liegt ein Backup dieses Servers, das sich auf keinem anderen Node wiederherstellen lässt} other {liegen # Backups dieses Servers, die sich auf keinem anderen Node wiederherstellen lassen}}',
  agreeBackups: 'Trotzdem umziehen; die Backups lassen sich weiterhin herunterladen',
  agreeFirst: 'Bestätigen Sie, was mit den Backups geschieht',
})
