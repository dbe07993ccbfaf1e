import { z } from 'zod'
import {
  type CapabilityKey,
  isNumberKey,
  LimitLayer,
  type LimitNumber,
  type NumberKey,
} from './keys.ts'

/** What a server plan can limit of the server that comes with it: totals count that server alone. */
export const ServerPlanLimits = LimitLayer.pick({
  maxServerBackups: true,
  maxBackupStorageMb: true,
  maxExtraPorts: true,
  maxServerCollaborators: true,
  maxServerSchedules: true,
  maySftp: true,
  maySchedules: true,
  mayShare: true,
  mayExtraPorts: true,
})
export type ServerPlanKey = keyof ServerPlanLimits
export const SERVER_PLAN_KEYS = Object.keys(ServerPlanLimits.shape) as ServerPlanKey[]
export type ServerPlanNumber = Extract<ServerPlanKey, NumberKey>
export type ServerPlanCapability = Extract<ServerPlanKey, CapabilityKey>

export const isServerPlanKey = (key: string): key is ServerPlanKey => key in ServerPlanLimits.shape

export type ServerPlanLimits = z.infer<typeof ServerPlanLimits>

/** The value that applies: what a plan does not set is unlimited, and allowed. */
export const valueInPlan = (limits: ServerPlanLimits, key: ServerPlanKey): LimitNumber | boolean =>
  limits[key] ?? (isNumberKey(key) ? 'unlimited' : true)

/** What is left of a capability once it is taken away, counted by this limit. */
const COUNTED_BY: Readonly<Record<ServerPlanCapability, ServerPlanNumber | undefined>> = {
  maySftp: undefined,
  maySchedules: 'maxServerSchedules',
  mayShare: 'maxServerCollaborators',
  mayExtraPorts: 'maxExtraPorts',
}

/**
 * How much of it is in use: of a capability, of what needs it; null for what is not counted.
 * @param used by total; nothing of those that are left out
 */
export function usedOfPlan(
  used: Readonly<Partial<Record<ServerPlanNumber, number>>>,
  key: ServerPlanKey,
): number | null {
  const counted = key in COUNTED_BY ? COUNTED_BY[key as ServerPlanCapability] : key
  return counted === undefined ? null : (used[counted as ServerPlanNumber] ?? 0)
}

/** What the plan of a server includes of what it limits. */
export const ServerPlan = z.object({
  plan: z.string().nullable().describe('its name; null if the server came with none'),
  limits: z.array(
    z.object({
      key: z.enum(SERVER_PLAN_KEYS),
      value: z.union([z.int(), z.literal('unlimited'), z.boolean()]),
      used: z.int().nullable().describe('null for what is not counted'),
    }),
  ),
})
export type ServerPlan = z.infer<typeof ServerPlan>
