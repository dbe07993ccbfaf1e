import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about limits. */
export const t = catalogue(
  {
    near: 'You are close to a limit',
    reached: 'You have reached a limit',
    above: 'You are above a limit',
    customerAbove: '{email} is above a limit',
    youUse: 'You use {amount}',
    youUseNow: 'You use {amount}.',
    theyUse: 'They use {amount}.',
    theyKeep: 'They use {amount}. They keep what they have, but cannot add more.',
    amount: '{used} of {value} {kind}',
    kind: '{key, select, maxServers {servers} runningServers {running servers} maxMemoryMb {{unit} of memory} maxCpuPercent {CPU} maxDiskMb {{unit} of disk} maxBackups {backups} maxBackupStorageMb {{unit} of backup storage} maxExtraPorts {extra ports} maxAttachedFilesMb {{unit} of attached files} maxServerMemoryMb {{unit} of memory per server} maxServerCpuPercent {CPU per server} maxServerDiskMb {{unit} of disk per server} maxServerBackups {backups per server} maxServerCollaborators {people per server} maxServerSchedules {scheduled tasks per server} other {{unit}}}',
    notAllowed:
      '{key, select, allowedTemplates {This kind of server is not available to this account} allowedLocations {This location is not available to this account} mayCreateServers {Creating servers is not allowed for this account} mayDeleteServers {Deleting servers is not allowed for this account} maySftp {SFTP is not allowed for this account} mayAddons {Mods and plugins are not allowed for this account} maySchedules {Scheduled tasks are not allowed for this account} mayShare {Sharing servers is not allowed for this account} other {Extra ports are not allowed for this account}}',
  },
  { de: () => import('./words.de.ts') },
)
