import { z } from 'zod'

/** How limits are used in this installation. */
export const LimitSettings = z.strictObject({
  /** False ignores every limit everywhere and keeps the numbers. */
  useLimits: z.boolean(),
  onExceed: z.enum(['refuse', 'warn']),
  /** Whether an administrator must send `force` to exceed a customer's limits. */
  administrators: z.enum(['force_required', 'always']),
  warnPercent: z.int().min(1).max(100),
  showUsage: z.boolean(),
  notifyCustomers: z.boolean(),
  allowOverrides: z.boolean(),
  countPlanServers: z.boolean(),
  selfService: z.enum(['off', 'everyone', 'account_plans']),
})
export type LimitSettings = z.infer<typeof LimitSettings>

export const DEFAULT_LIMIT_SETTINGS: LimitSettings = {
  useLimits: true,
  onExceed: 'refuse',
  administrators: 'force_required',
  warnPercent: 80,
  showUsage: true,
  notifyCustomers: true,
  allowOverrides: true,
  countPlanServers: false,
  selfService: 'off',
}
