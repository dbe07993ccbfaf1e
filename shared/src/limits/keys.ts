import { z } from 'zod'

const MAX = 2 ** 31 - 1
const cap = z.union([z.int().min(0).max(MAX), z.literal('unlimited')])
const list = z.union([z.array(z.string().min(1).max(64)).max(1000), z.literal('unlimited')])

/**
 * Everything that can be limited. `total` counts all that a customer has, `each` is the maximum for
 * one server; both are caps. `list` names what may be used, `may` is a yes or no. `kind` is the
 * word of the API and of its refusals, in MiB and percent; texts for people use `unitOf`.
 */
export const LIMIT_KEYS = {
  maxServers: { type: 'total', kind: 'servers' },
  runningServers: { type: 'total', kind: 'running servers' },
  maxMemoryMb: { type: 'total', kind: 'MiB of memory' },
  maxCpuPercent: { type: 'total', kind: 'percent of CPU' },
  maxDiskMb: { type: 'total', kind: 'MiB of disk' },
  maxBackups: { type: 'total', kind: 'backups' },
  maxBackupStorageMb: { type: 'total', kind: 'MiB of backup storage' },
  maxExtraPorts: { type: 'total', kind: 'extra ports' },
  maxAttachedFilesMb: { type: 'total', kind: 'MiB of attached files' },
  maxServerMemoryMb: { type: 'each', kind: 'MiB of memory per server' },
  maxServerCpuPercent: { type: 'each', kind: 'percent of CPU per server' },
  maxServerDiskMb: { type: 'each', kind: 'MiB of disk per server' },
  maxServerBackups: { type: 'each', kind: 'backups per server' },
  maxServerCollaborators: { type: 'each', kind: 'people per server' },
  maxServerSchedules: { type: 'each', kind: 'scheduled tasks per server' },
  allowedTemplates: { type: 'list', kind: 'This kind of server' },
  allowedLocations: { type: 'list', kind: 'This location' },
  mayCreateServers: { type: 'may', kind: 'Creating servers' },
  mayDeleteServers: { type: 'may', kind: 'Deleting servers' },
  maySftp: { type: 'may', kind: 'SFTP' },
  mayAddons: { type: 'may', kind: 'Mods and plugins' },
  maySchedules: { type: 'may', kind: 'Scheduled tasks' },
  mayShare: { type: 'may', kind: 'Sharing servers' },
  mayExtraPorts: { type: 'may', kind: 'Extra ports' },
} as const

export type LimitKey = keyof typeof LIMIT_KEYS
type KeysOf<T extends 'total' | 'each' | 'list' | 'may'> = {
  [K in LimitKey]: (typeof LIMIT_KEYS)[K]['type'] extends T ? K : never
}[LimitKey]
export type NumberKey = KeysOf<'total' | 'each'>
export type ListKey = KeysOf<'list'>
export type CapabilityKey = KeysOf<'may'>

export const ALL_LIMIT_KEYS = Object.keys(LIMIT_KEYS) as readonly LimitKey[]
export const isNumberKey = (key: LimitKey): key is NumberKey =>
  ['total', 'each'].includes(LIMIT_KEYS[key].type)
export const isListKey = (key: LimitKey): key is ListKey => LIMIT_KEYS[key].type === 'list'
export const isCapabilityKey = (key: LimitKey): key is CapabilityKey =>
  LIMIT_KEYS[key].type === 'may'

/** How the number of a limit is typed and shown. */
export const unitOf = (key: LimitKey): 'size' | 'cpu' | 'count' =>
  /Mb$/.test(key) ? 'size' : key.endsWith('CpuPercent') ? 'cpu' : 'count'

export type LimitNumber = z.infer<typeof cap>
export type LimitList = z.infer<typeof list>
export type LimitValue = LimitNumber | LimitList | boolean

const shapeOf = { total: cap, each: cap, list, may: z.boolean() } as const

/** One layer of limits: an absent or null key is not set there, and the layer below decides. */
export const LimitLayer = z.strictObject(
  Object.fromEntries(
    ALL_LIMIT_KEYS.map((key) => [key, shapeOf[LIMIT_KEYS[key].type].nullable().optional()]),
  ) as {
    [K in LimitKey]: z.ZodOptional<z.ZodNullable<(typeof shapeOf)[(typeof LIMIT_KEYS)[K]['type']]>>
  },
)
export type LimitLayer = z.infer<typeof LimitLayer>
