import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  startNamed: '{server} starten',
  stopNamed: '{server} stoppen',
  restartNamed: '{server} neu starten',
  killNamed: '{server} sofort beenden',
  disconnects: 'Alle bestehenden Verbindungen werden getrennt.',
  losesUnsaved:
    'Der Prozess endet sofort, ohne zu speichern. Noch nicht geschriebene Daten gehen verloren.',
  paletteVerbs:
    'starte starten start stoppe stoppen stopp stop neu neustart restart sofort beende beenden kill sichere sichern umziehen verschieben klone klonen öffne öffnen zeige zeigen gehe zu zum zur von der die das konsole bildschirm server einstellungen messwerte netzwerk backup backups dateien hochladen',
  stateOnNode: '{state} · {node}',
  isStarting: '{server} startet.',
  restartCancelled: '{server} wird nicht neu gestartet.',
  isStopped: '{server} ist gestoppt.',
  isRestarting: '{server} startet neu.',
  isStopping: '{server} stoppt.',
  isKilled: '{server} wird sofort beendet.',
  backUpNamed: '{server} sichern',
  isBackingUp: 'Ein Backup von {server} wird erstellt.',
  nodeAway: 'Der Node {node} ist nicht verbunden',
  openBackupsOf: 'Backups von {server} öffnen',
  openConsoleOf: 'Konsole von {server} öffnen',
  openScreenOf: 'Bildschirm von {server} öffnen',
  openFilesOf: 'Dateien von {server} öffnen',
  filesKeywords: 'hochladen herunterladen upload download editor',
  openSettingsOf: 'Einstellungen von {server} öffnen',
  moveNamed: '{server} umziehen',
  moveKeywords: 'migrieren verschieben anderer node',
  cloneNamed: '{server} klonen',
  openMetricsOf: 'Messwerte von {server} öffnen',
  openNetworkOf: 'Netzwerk von {server} öffnen',
})
