import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  near: 'Sie haben ein Limit fast erreicht',
  reached: 'Sie haben ein Limit erreicht',
  above: 'Sie liegen über einem Limit',
  customerAbove: '{email} liegt über einem Limit',
  youUse: 'Sie nutzen {amount}',
  youUseNow: 'Sie nutzen {amount}.',
  theyUse: 'Die Nutzung beträgt {amount}.',
  theyKeep: 'Die Nutzung beträgt {amount}. Was da ist, bleibt, aber es kann nichts dazukommen.',
  amount: '{used} von {value} {kind}',
  kind: '{key, select, maxServers {Servern} runningServers {laufenden Servern} maxMemoryMb {{unit} RAM} maxCpuPercent {CPU} maxDiskMb {{unit} Speicherplatz} maxBackups {Backups} maxBackupStorageMb {{unit} Backup-Speicher} maxExtraPorts {zusätzlichen Ports} maxAttachedFilesMb {{unit} für angehängte Dateien} maxServerMemoryMb {{unit} RAM je Server} maxServerCpuPercent {CPU je Server} maxServerDiskMb {{unit} Speicherplatz je Server} maxServerBackups {Backups je Server} maxServerCollaborators {Personen je Server} maxServerSchedules {geplanten Aufgaben je Server} other {{unit}}}',
  notAllowed:
    '{key, select, allowedTemplates {Diese Art von Server steht diesem Konto nicht zur Verfügung} allowedLocations {Dieser Standort steht diesem Konto nicht zur Verfügung} mayCreateServers {Dieses Konto darf keine Server erstellen} mayDeleteServers {Dieses Konto darf keine Server löschen} maySftp {Dieses Konto darf SFTP nicht nutzen} mayAddons {Dieses Konto darf keine Mods und Plugins installieren} maySchedules {Dieses Konto darf keine Aufgaben planen} mayShare {Dieses Konto darf keine Server teilen} other {Dieses Konto darf keine Ports hinzufügen}}',
})
