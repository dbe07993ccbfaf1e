import { z } from 'zod'
import type { Area } from '../../catalogue.ts'

const DELETED_FILES_DAYS = 7

export const SelfServiceSettings = z.strictObject({
  /** How long a customer can undo the deletion of a server. */
  coolingOffHours: z
    .int()
    .min(0)
    .max(24 * 90),
  /** Whether invitations to a server may create accounts for new people. */
  collaboratorAccounts: z.boolean(),
  /** How long deleted files of a server can be restored; 0: not at all. */
  deletedFilesDays: z.int().min(0).max(90).default(DELETED_FILES_DAYS),
})

export const selfServiceSettings: Area<z.infer<typeof SelfServiceSettings>> = {
  name: 'self_service',
  schema: SelfServiceSettings,
  initial: {
    coolingOffHours: 72,
    collaboratorAccounts: true,
    deletedFilesDays: DELETED_FILES_DAYS,
  },
}
