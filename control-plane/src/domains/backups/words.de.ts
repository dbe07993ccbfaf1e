import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  completed: 'Backup von {server} erstellt',
  completedAs: 'Als {backup}.',
  failed: 'Das Backup von {server} ist fehlgeschlagen',
  hostFailed: 'Das Backup von {server} gegen den Verlust des Nodes ist fehlgeschlagen',
  triedAgain: '{reason} Innerhalb einer Stunde folgt der nächste Versuch.',
  overdue: 'Backups außerhalb von {node} sind überfällig',
  overdueServers:
    '{servers, plural, one {Ein Server hat} other {# Server haben}} kein Backup außerhalb des Nodes aus den letzten {hours} Stunden. Die Seite des Nodes zeigt, welche das sind.',
  damaged: 'Ein Backup von {server} ist beschädigt',
  damagedAs:
    '{backup}: {reason} Als Ganzes lässt es sich nicht wiederherstellen. Erstellen Sie ein neues, und prüfen Sie es.',
  damagedForHost:
    '{backup}: {reason} Kontrollieren Sie die Datenträger oder den Speicher, auf dem es liegt, und prüfen Sie die anderen dort.',
  beforeRestore: 'Vor Wiederherstellung von {backup}',
  restored: '{server} wurde wiederhergestellt',
  restoredFrom:
    'Aus dem Backup {backup}. Die Dateien von vorher bleiben erhalten, bis der Server gestartet ist.',
})
