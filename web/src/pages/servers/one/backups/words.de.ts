import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  backups: 'Backups',
  backUpNow: 'Jetzt sichern',
  backUp: 'Server sichern',
  backUpText:
    'Das Panel kopiert alle Dateien des Servers, der dabei weiterläuft. Neu gespeichert wird nur, was sich seit dem letzten Backup geändert hat.',
  backUpMachine:
    'Das Panel kopiert Datenträger, Firmware-Variablen und TPM, alle vom selben Zeitpunkt; eine laufende Maschine läuft weiter. Neu gespeichert wird nur, was sich seit dem letzten Backup geändert hat.',
  name: 'Name',
  nameHelp: 'Ohne Eingabe dient der Zeitpunkt als Name.',
  leftOutHere: 'Ohne diese Dateien (optional)',
  leftOutHereHelp:
    'Eine Zeile für jeden Eintrag, etwa cache/ oder *.log. Das gilt nur für dieses Backup.',
  keepLocked: 'Dieses Backup schützen',
  keepLockedHelp: 'Niemand kann es löschen, solange der Schutz besteht.',

  backup: 'Backup',
  state: 'Status',
  created: 'Erstellt',
  duration: 'Dauer',
  size: 'Größe',
  actions: 'Aktionen',
  good: 'Vollständig',
  creating: 'Wird erstellt',
  creatingPercent: 'Wird erstellt, {percent}%',
  failed: 'Fehlgeschlagen',
  damaged: 'Beschädigt',
  verified: 'Geprüft <when></when>',
  found: 'Festgestellt <when></when>',
  neverVerified: 'Es wurde seit der Erstellung noch nicht zurückgelesen.',
  foundDamaged:
    'Es ist beschädigt, festgestellt <when></when>: {reason} Einzelne Dateien können noch unbeschädigt sein.',
  deleting: 'Wird gelöscht',
  progressOf: 'Fortschritt von {backup}',
  locked: 'Geschützt: kann nicht gelöscht werden',
  bySchedule: 'Nach Zeitplan',
  byFormerAccount: 'Von einem gelöschten Konto',
  byYou: 'Von Ihnen',
  byPerson: 'Von {person}',
  whileRunning: '{by}, bei laufendem Server',
  sizeTitle: '{count, plural, one {# Datei} other {# Dateien}}. Zusätzlich gespeichert: {stored}.',
  notMeasured: 'Erst bekannt, wenn es vollständig ist',
  noBackups: 'Noch keine Backups',
  noBackupsText:
    'Mit einem Backup stellen Sie die Dateien dieses Servers wieder her. Erstellen Sie eines vor jedem Update.',

  noBackupsMachine:
    'Mit einem Backup stellen Sie die ganze Maschine wieder her. Erstellen Sie eines vor jedem Update.',
  disksNotFiles:
    'Die Backups enthalten ganze Datenträger. Einzelne Dateien lassen sich daher nicht durchsuchen oder wiederherstellen.',

  leaveOutAsk: 'Auslassen…',
  leaveOut: 'Dateien in Backups auslassen',
  leaveOutText:
    'Backups enthalten diese Dateien ab jetzt nicht mehr. Die Wiederherstellung eines solchen Backups lässt sie so, wie sie auf dem Server sind.',
  patterns: 'Dateien und Ordner',
  patternsHelp:
    'Ein Eintrag pro Zeile. * steht für einen beliebigen Teil eines Namens, ** für beliebige Ordner. Ein Schrägstrich am Ende meint, was in Ordnern dieses Namens liegt.',
  patternsExample: 'cache/\n*.log\n/world/backups',
  asTemplate: 'Wie in der Vorlage',
  saveLeftOut: 'Liste speichern',
  leftOutSaved: 'Liste gespeichert',
  leftOut: 'Backups lassen aus: {patterns}.',
  without: 'Ohne: {patterns}',
  leftOutStays:
    'Das Backup lässt {patterns} aus. Diese Dateien bleiben, wie sie jetzt auf dem Server sind; nichts davon wird gelöscht.',
  leftOutStaysOther:
    'Das Backup lässt {patterns} aus. Solche Dateien des gewählten Servers bleiben, wie sie sind; nichts davon wird gelöscht.',

  actionsFor: 'Aktionen für {backup}',
  restoreOne: '{backup} wiederherstellen',
  restoreAsk: 'Wiederherstellen…',
  restoreToOtherAsk: 'Auf anderem Server wiederherstellen…',
  browseOne: 'Dateien von {backup} durchsuchen',
  browse: 'Dateien durchsuchen',
  download: 'Herunterladen',
  verify: 'Prüfen',
  verifying: '{backup} wird geprüft',
  notVerified: '{backup} konnte nicht geprüft werden',
  nothingToVerify: 'Nur ein vollständiges Backup lässt sich prüfen',
  damagedSoNot:
    'Es ist beschädigt: Stellen Sie einzelne Dateien daraus wieder her, oder prüfen Sie es erneut',
  renameAsk: 'Umbenennen…',
  lock: 'Schützen',
  unlock: 'Schutz aufheben',
  deleteAsk: 'Löschen…',
  notComplete: 'Nur ein vollständiges Backup enthält Dateien',
  stillCreating: 'Es wird gerade erstellt: Brechen Sie stattdessen diesen Auftrag ab',
  beingDeleted: 'Es wird gelöscht',
  underWay: 'Warten Sie auf den laufenden Auftrag: {job}',
  unlockFirst: 'Heben Sie zuerst den Schutz auf',
  nothingToLock: 'Ein fehlgeschlagenes Backup enthält nichts, was zu schützen wäre',
  notChanged: '{backup} konnte nicht geändert werden',

  rename: 'Backup umbenennen',
  deleteOne: '{backup} löschen',
  delete: 'Backup löschen',
  deleteText:
    'Das Backup (erstellt: <when></when>) wird endgültig gelöscht. Der Server und seine anderen Backups bleiben erhalten.',
  deleteFailedText:
    'Das fehlgeschlagene Backup wird aus der Liste entfernt. Es enthält keine Dateien.',

  restore: 'Backup wiederherstellen',
  restoreLead:
    'Alle Dateien von {server} werden durch die des Backups (Stand: <when></when>, {size}) ersetzt:',
  checkedFirst:
    'Das Backup wird neben den aktuellen Dateien wiederhergestellt und geprüft, während {server} weiterläuft.',
  exchangedRunning: '{server} stoppt, und die Dateien werden in einem Zug ausgetauscht.',
  exchangedStopped: 'Die Dateien werden in einem Zug ausgetauscht.',
  provenRunning:
    'Der Server startet wieder. Gelingt das nicht, bekommt er seine aktuellen Dateien zurück.',
  provenStopped:
    'Die aktuellen Dateien bleiben erhalten, bis der Server mit den wiederhergestellten gestartet ist, höchstens aber 24 Stunden.',
  restoreLeadMachine:
    'Alle Datenträger von {server} werden durch die des Backups (Stand: <when></when>, {size}) ersetzt, ebenso Firmware-Variablen und TPM:',
  checkedFirstMachine:
    'Das Backup wird neben den aktuellen Datenträgern wiederhergestellt und geprüft, während {server} weiterläuft.',
  exchangedRunningMachine: '{server} stoppt, und die Datenträger werden in einem Zug ausgetauscht.',
  exchangedStoppedMachine: 'Die Datenträger werden in einem Zug ausgetauscht.',
  provenRunningMachine:
    'Die Maschine startet wieder. Gelingt das nicht, bekommt sie ihre aktuellen Datenträger zurück.',
  provenStoppedMachine:
    'Die aktuellen Datenträger bleiben erhalten, bis die Maschine mit den wiederhergestellten gestartet ist, höchstens aber 24 Stunden.',
  backUpFirst: 'Aktuellen Stand vorher sichern',
  backUpFirstHelp:
    'Dieses Backup bleibt erhalten und zählt als weiteres. Misslingt es oder ist es beschädigt, wird nichts wiederhergestellt.',
  noRoomForBackup: 'Für ein weiteres Backup ist kein Platz: Löschen Sie zuerst eines',
  backedUpFirst:
    'Die aktuellen Dateien von {server} werden gesichert, und dieses Backup wird geprüft.',
  backedUpFirstMachine:
    'Die aktuellen Datenträger von {server} werden gesichert, und dieses Backup wird geprüft.',
  backedUpFirstOther:
    'Der aktuelle Stand des Ziels wird gesichert, und dieses Backup wird geprüft.',
  restoreLoses: 'Alle späteren Änderungen gehen dann verloren.',
  restoring: '{server} wird wiederhergestellt',
  seeJobs: 'Den Fortschritt sehen Sie unter „Aufträge“.',
  targetServer: 'Server',
  searchTargets: 'Server suchen',
  targetHelp: 'Andere Container-Server desselben Besitzers.',
  noTarget: 'Der Besitzer hat keinen anderen Container-Server',
  targetHelpMachine:
    'Andere virtuelle Maschinen desselben Besitzers. Ihre Datenträger müssen mindestens so groß sein wie die im Backup.',
  noTargetMachine: 'Der Besitzer hat keine andere virtuelle Maschine',
  chooseTarget: 'Wählen Sie einen Server',
  otherLead:
    'Alle Dateien des gewählten Servers werden durch die des Backups von {source} (Stand: <when></when>, {size}) ersetzt:',
  otherLeadMachine:
    'Die Datenträger der gewählten Maschine werden durch die des Backups von {source} (Stand: <when></when>, {size}) ersetzt. Ihr TPM und ihr Netzwerk behält sie:',
  checkedFirstOther:
    'Das Backup wird neben den aktuellen Dateien wiederhergestellt und geprüft, während der Server weiterläuft.',
  exchangedOther: 'Läuft der Server, stoppt er, und die Dateien werden in einem Zug ausgetauscht.',
  otherLoses: 'Der aktuelle Stand des Ziels geht dann verloren.',
  provenOther:
    'Lief der Server, startet er wieder. Gelingt das nicht, bekommt er seine aktuellen Dateien zurück.',

  checkedFirstOtherMachine:
    'Das Backup wird neben den aktuellen Datenträgern wiederhergestellt und geprüft, während die Maschine weiterläuft.',
  exchangedOtherMachine:
    'Läuft die Maschine, stoppt sie, und die Datenträger werden in einem Zug ausgetauscht.',
  provenOtherMachine:
    'Lief die Maschine, startet sie wieder. Gelingt das nicht, bekommt sie ihre aktuellen Datenträger zurück.',

  usedServer: 'Backups dieses Servers',
  usedAccount: 'Backups des Kontos',
  usedAccountOther: 'Backups des Besitzerkontos',
  usedStorage: 'Backup-Speicher',
  usedOf: '{used} von {limit}',
  keptOnNode:
    'Backups liegen verschlüsselt auf {node}. Geht der Node verloren, sind auch sie verloren.',
  keptAway:
    'Backups liegen verschlüsselt außerhalb von {node} und bleiben erhalten, wenn der Node verloren geht.',
  keptNowhere:
    'Kein anderer Node bewahrt gerade Backups von {node} auf, deshalb lassen sich keine erstellen.',
  keptOnOther:
    'Backups liegen verschlüsselt auf {other} und bleiben erhalten, wenn {node} verloren geht.',
  nothingSafe:
    'Ginge {node} jetzt verloren, wäre von diesem Server nichts zu retten: Kein Backup liegt anderswo.',
  safeSince: 'Ginge {node} jetzt verloren, käme der Server mit dem Stand von <when></when> zurück.',
  byHost: 'Vom Anbieter',
  hostKeepsIt:
    'Der Anbieter hat es für den Ausfall eines Nodes erstellt und behält oder löscht es selbst',
  rotation:
    'Von den Backups nach Zeitplan {count, plural, one {bleibt das neueste} other {bleiben die # neuesten}} erhalten; geschützte bleiben immer.',
  formerKeptMachine: 'Die Datenträger von vor der letzten Wiederherstellung sind noch da',
  formerKept: 'Die Dateien von vor der letzten Wiederherstellung sind noch da',
  formerKeptText:
    'Das Panel löscht sie, sobald der Server mit dem wiederhergestellten Stand gestartet ist, spätestens <when></when>.',

  downloadOne: '{entry} herunterladen',
  folders: 'Ordner dieses Backups',
  allFiles: 'Alle Dateien',
  entry: 'Name',
  changed: 'Geändert',
  emptyFolder: 'Dieser Ordner ist leer',
  truncated: 'Dieser Ordner hat weitere Einträge. Nur die ersten {count} werden angezeigt.',
  folder: 'Ordner',
  link: 'Link',
  otherKind: 'Spezialdatei',
  restoreSelected:
    '{count, plural, one {# Eintrag wiederherstellen…} other {# Einträge wiederherstellen…}}',
  selectFirst: 'Wählen Sie zuerst Dateien oder Ordner aus',
  backToFiles: 'Zurück zu den Dateien',
  restoreFiles: 'Dateien wiederherstellen',
  restoreFilesText:
    '{count, plural, one {{name} wird wiederhergestellt.} other {# Einträge werden wiederhergestellt.}} Ordner kommen mit ihrem ganzen Inhalt zurück. Der Server kann dabei laufen.',
  where: 'Wohin',
  intoFolder: 'In einen Ordner',
  intoFolderHelp: 'Neben die aktuellen Dateien, zum Vergleichen.',
  inPlace: 'An den ursprünglichen Ort',
  inPlaceHelp: 'Vorhandene Dateien mit gleichem Namen werden ersetzt. Andere Dateien bleiben.',
  keepReplaced: 'Ersetztes behalten',
  keepReplacedHelp:
    'Vorhandene Dateien gleichen Namens kommen in einen neuen Ordner des Servers, wo sie Platz belegen, bis Sie sie löschen.',
  replacedIsLost: 'Vorhandene Dateien gleichen Namens sind dann weg.',
  restoringFiles: 'Dateien werden wiederhergestellt',
  replacedGoesTo:
    'Was ersetzt wird, kommt nach {folder}. Den Fortschritt sehen Sie unter „Aufträge“.',
  targetFolder: 'Ordner',
  targetFolderHelp: 'Er wird angelegt, falls es ihn nicht gibt.',
})
