import { LIMIT_KEYS, type LimitKey, type LimitValue } from '@lodge/shared/limits/keys.ts'
import { describeCpu, writeCpu, writeMib } from '../../ui/fields/size.ts'

/** The displayed name of each limit. */
export const LIMIT_NAMES: Readonly<Record<LimitKey, string>> = {
  maxServers: 'Servers',
  runningServers: 'Running servers',
  maxMemoryMb: 'Memory',
  maxCpuPercent: 'CPU',
  maxDiskMb: 'Disk',
  maxBackups: 'Backups',
  maxBackupStorageMb: 'Backup storage',
  maxExtraPorts: 'Extra ports',
  maxServerMemoryMb: 'Memory of one server',
  maxServerCpuPercent: 'CPU of one server',
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

/** One value of a limit in words: `4 GiB`, `150% (1.5 cores)`, `unlimited`, `yes`. */
export function valueWords(key: LimitKey, value: LimitValue): string {
  if (value === 'unlimited') return 'unlimited'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (typeof value !== 'number') return value.length === 0 ? 'none' : `${value.length} allowed`
  if (unitOf(key) === 'size') return value === 0 ? '0 MiB' : writeMib(value)
  return unitOf(key) === 'cpu' ? describeCpu(value) : String(value)
}

/** Words that stand alone, as in a cell of a table. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** How much of a limit is used, shown beside its value: `150%`, `4 GiB`. */
export const usedWords = (key: LimitKey, used: number): string =>
  unitOf(key) === 'cpu' ? writeCpu(used) : valueWords(key, used)

/** One layer's part in a limit, as the API tells it. */
interface LimitPart {
  readonly source: 'default' | 'plan' | 'customer'
  readonly planName: string | null
  readonly value: LimitValue
}

const GIVERS = { default: 'by default', plan: 'from a plan', customer: 'set by the host' } as const

/**
 * Where a limit comes from: `By default`, `From Starter`, or every part when several count:
 * `3 by default + 4 from Starter`. Totals add up, of everything else the most generous counts.
 */
export function originWords(key: LimitKey, parts: readonly LimitPart[]): string {
  const giver = ({ source, planName }: LimitPart): string =>
    planName === null ? GIVERS[source] : `from ${planName}`
  const [first] = parts
  if (first === undefined) return 'By default'
  const own = parts.find(({ source }) => source === 'customer')
  const counted = own ? [own] : parts
  if (counted.length === 1) return capitalised(giver(own ?? first))
  return counted
    .map((part) => `${valueWords(key, part.value)} ${giver(part)}`)
    .join(LIMIT_KEYS[key].type === 'total' ? ' + ' : ', ')
}
