import type { LimitKey } from '@lodge/shared/limits/keys.ts'
import { describeCpu, writeMib } from '../../ui/fields/size.ts'

/** The displayed name of each limit. */
export const LIMIT_NAMES: Readonly<Record<LimitKey, string>> = {
  maxServers: 'Servers',
  runningServers: 'Running servers',
  maxMemoryMb: 'Memory',
  maxCpuPercent: 'Processor',
  maxDiskMb: 'Disk',
  maxBackups: 'Backups',
  maxBackupStorageMb: 'Backup storage',
  maxExtraPorts: 'Extra ports',
  maxServerMemoryMb: 'Memory of one server',
  maxServerCpuPercent: 'Processor of one server',
  maxServerDiskMb: 'Disk of one server',
  maxServerBackups: 'Backups of one server',
  maxServerCollaborators: 'People on one server',
  maxServerSchedules: 'Schedules of one server',
  allowedTemplates: 'Templates',
  allowedLocations: 'Locations',
  mayCreateServers: 'Create servers',
  mayDeleteServers: 'Delete servers',
  maySftp: 'Use SFTP',
  mayAddons: 'Install mods and plugins',
  maySchedules: 'Plan tasks',
  mayShare: 'Share servers',
  mayExtraPorts: 'Add ports',
}

/** How the number of a limit is typed and shown. */
export const unitOf = (key: LimitKey): 'size' | 'cpu' | 'count' =>
  key.endsWith('Mb') ? 'size' : key.endsWith('CpuPercent') ? 'cpu' : 'count'

/** One value of a limit in words: `4 GiB`, `150 % (1.5 cores)`, `unlimited`, `yes`. */
export function valueWords(
  key: LimitKey,
  value: number | 'unlimited' | readonly string[] | boolean,
): string {
  if (value === 'unlimited') return 'unlimited'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (typeof value !== 'number') return value.length === 0 ? 'none' : `${value.length} allowed`
  if (unitOf(key) === 'size') return value === 0 ? '0 MiB' : writeMib(value)
  return unitOf(key) === 'cpu' ? describeCpu(value) : String(value)
}

/** How much of a limit is used, shown beside its value: `150 %`, `4 GiB`. */
export const usedWords = (key: LimitKey, used: number): string =>
  unitOf(key) === 'cpu' ? `${used} %` : valueWords(key, used)
