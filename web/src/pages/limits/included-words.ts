import {
  SERVER_PLAN_KEYS,
  type ServerPlanCapability,
  type ServerPlanKey,
  type ServerPlanLimits,
  type ServerPlanNumber,
} from '@lodge/shared/limits/of-plan-server.ts'
import { formatMib } from '../../ui/data/numbers.ts'
import { t } from './words.ts'

const yesNo = (included: boolean) => ({ included: included ? 'yes' : 'no' })

const NUMBERS: Readonly<Record<ServerPlanNumber, (most: number | undefined) => string>> = {
  maxServerBackups: (count) => (count === undefined ? t.manyBackups : t.backups({ count })),
  maxBackupStorageMb: (mib) =>
    mib === undefined ? t.manyBackupStorage : t.backupStorage({ size: formatMib(mib) }),
  maxExtraPorts: (count) => (count === undefined ? t.manyExtraPorts : t.extraPorts({ count })),
  maxServerCollaborators: (count) => (count === undefined ? t.manyPeople : t.people({ count })),
  maxServerSchedules: (count) => (count === undefined ? t.manySchedules : t.schedules({ count })),
}
const CAPABILITIES: Readonly<Record<ServerPlanCapability, (is: boolean) => string>> = {
  maySftp: (is) => t.sftp(yesNo(is)),
  maySchedules: (is) => t.maySchedule(yesNo(is)),
  mayShare: (is) => t.mayBeShared(yesNo(is)),
  mayExtraPorts: (is) => t.ports(yesNo(is)),
}
/** What says the same with a number. */
const NUMBER_OF: Readonly<Partial<Record<ServerPlanKey, ServerPlanNumber>>> = {
  maySchedules: 'maxServerSchedules',
  mayShare: 'maxServerCollaborators',
  mayExtraPorts: 'maxExtraPorts',
}
const isNumber = (key: ServerPlanKey): key is ServerPlanNumber => key in NUMBERS

/** What a server plan includes, and does not: `3 backups`, `No SFTP`. What it does not set is not mentioned. */
export function includedWords(limits: ServerPlanLimits = {}): readonly string[] {
  // A capability that is not there says more than its number, and a number more than that it is there.
  const isSaidElsewhere = (key: ServerPlanKey): boolean => {
    const number = NUMBER_OF[key]
    if (number !== undefined) return limits[key] === true && (limits[number] ?? null) !== null
    return Object.entries(NUMBER_OF).some(
      ([capability, of]) => of === key && limits[capability as ServerPlanKey] === false,
    )
  }
  return SERVER_PLAN_KEYS.flatMap((key) => {
    const value = limits[key]
    if (value === undefined || value === null || isSaidElsewhere(key)) return []
    if (isNumber(key)) return [NUMBERS[key](typeof value === 'number' ? value : undefined)]
    return [CAPABILITIES[key](value === true)]
  })
}
