import { z } from 'zod'
import type { Area } from '../../catalogue.ts'

export const SelfServiceSettings = z.strictObject({
  /** How long a customer can undo the deletion of a server. */
  coolingOffHours: z
    .int()
    .min(0)
    .max(24 * 90),
  /** Whether invitations to a server may create accounts for new people. */
  collaboratorAccounts: z.boolean(),
})

export const selfServiceSettings: Area<z.infer<typeof SelfServiceSettings>> = {
  name: 'self_service',
  schema: SelfServiceSettings,
  initial: { coolingOffHours: 72, collaboratorAccounts: true },
}
