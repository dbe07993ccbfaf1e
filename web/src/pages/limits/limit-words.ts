import { LIMIT_KEYS, type LimitKey, type LimitValue, unitOf } from '@lodge/shared/limits/keys.ts'
import { formatCpu } from '@lodge/shared/units.ts'
import { entryOf, wordOf } from '../../ui/data/known.ts'
import { describeCpu, writeMib } from '../../ui/fields/size.ts'
import { t } from './words.ts'

const NAMES: Readonly<Record<LimitKey, () => string>> = {
  maxServers: () => t.maxServers,
  runningServers: () => t.runningServers,
  maxMemoryMb: () => t.maxMemory,
  maxCpuPercent: () => t.maxCpu,
  maxDiskMb: () => t.maxDisk,
  maxBackups: () => t.maxBackups,
  maxBackupStorageMb: () => t.maxBackupStorage,
  maxExtraPorts: () => t.maxExtraPorts,
  maxAttachedFilesMb: () => t.maxAttachedFiles,
  maxServerMemoryMb: () => t.maxServerMemory,
  maxServerCpuPercent: () => t.maxServerCpu,
  maxServerDiskMb: () => t.maxServerDisk,
  maxServerBackups: () => t.maxServerBackups,
  maxServerCollaborators: () => t.maxServerCollaborators,
  maxServerSchedules: () => t.maxServerSchedules,
  allowedTemplates: () => t.allowedTemplates,
  allowedLocations: () => t.allowedLocations,
  mayCreateServers: () => t.mayCreateServers,
  mayDeleteServers: () => t.mayDeleteServers,
  maySftp: () => t.maySftp,
  mayAddons: () => t.mayAddons,
  maySchedules: () => t.maySchedules,
  mayShare: () => t.mayShare,
  mayExtraPorts: () => t.mayExtraPorts,
}

/** The displayed name of a limit. */
export const limitName = (key: LimitKey): string => wordOf(NAMES, key)

/** One value of a limit in words: `4 GiB`, `150% (1.5 cores)`, `unlimited`, `yes`. */
export function valueWords(key: LimitKey, value: LimitValue): string {
  if (value === 'unlimited') return t.valueUnlimited
  if (value === true) return t.valueYes
  if (value === false) return t.valueNo
  if (typeof value !== 'number')
    return value.length === 0 ? t.valueNone : t.valueAllowed({ count: value.length })
  if (unitOf(key) === 'size') return value === 0 ? '0 MiB' : writeMib(value)
  return unitOf(key) === 'cpu' ? describeCpu(value) : String(value)
}

/** Capitalised, for use on its own, as in a cell of a table. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** How much of a limit is used, shown beside its value: `150%`, `4 GiB`. */
export const usedWords = (key: LimitKey, used: number): string =>
  unitOf(key) === 'cpu' ? formatCpu(used) : valueWords(key, used)

/** One layer's part in a limit, from the API. */
interface LimitPart {
  readonly source: 'default' | 'plan' | 'customer'
  readonly planName: string | null
  readonly value: LimitValue
}

function originOf({ source, planName }: LimitPart): string {
  if (planName !== null) return t.byPlan({ plan: planName })
  return { default: t.byDefault, plan: t.bySomePlan, customer: t.byHost }[source]
}

function partWords(key: LimitKey, { source, planName, ...part }: LimitPart): string {
  const value = valueWords(key, part.value)
  if (planName !== null) return t.partByPlan({ value, plan: planName })
  const words = { default: t.partByDefault, plan: t.partBySomePlan, customer: t.partByHost }
  return entryOf(words, source, () => t.partByHost)({ value })
}

/**
 * Where a limit comes from: `By default`, `From Starter`, or every part when several count:
 * `3 by default + 4 from Starter`. Totals add up, of everything else the most generous counts.
 */
export function originWords(key: LimitKey, parts: readonly LimitPart[]): string {
  const own = parts.find(({ source }) => source === 'customer')
  const counted = own ? [own] : parts
  const [first] = counted
  if (first === undefined) return t.byDefault
  if (counted.length === 1) return originOf(first)
  return counted
    .map((part) => partWords(key, part))
    .join(LIMIT_KEYS[key]?.type === 'total' ? ' + ' : ', ')
}
