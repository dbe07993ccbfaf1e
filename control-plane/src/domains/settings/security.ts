import { z } from 'zod'
import type { Area } from '../../catalogue.ts'

const address = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be an address or a network, for example 192.0.2.0/24',
)

export const SecuritySettings = z.strictObject({
  /** Addresses administrators may work from; empty for any. */
  administratorAddresses: z.array(address).max(200),
  /** How long the audit log is kept, days. */
  auditDays: z.int().min(30).max(3650),
})
export type SecuritySettings = z.infer<typeof SecuritySettings>

export const securitySettings: Area<SecuritySettings> = {
  name: 'security',
  schema: SecuritySettings,
  initial: { administratorAddresses: [], auditDays: 730 },
  variables: { '/administratorAddresses': 'LODGE_ADMIN_ADDRESSES' },
}
