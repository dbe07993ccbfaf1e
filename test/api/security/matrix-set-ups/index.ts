import { backupSetUps } from './backups.ts'
import { billingSetUps } from './billing.ts'
import { brandingSetUps } from './branding.ts'
import { channelSetUps } from './channels.ts'
import { customerSetUps } from './customers.ts'
import { deskSetUps } from './desk.ts'
import { fileSetUps } from './files.ts'
import { machineSetUps } from './machines.ts'
import { panelSetUps } from './panel.ts'
import type { SetUps } from './set-up.ts'
import { signInSetUps } from './sign-in.ts'
import { statusSetUps } from './status.ts'
import { suspensionSetUps } from './suspensions.ts'
import { usageSetUps } from './usage.ts'

export { type EquippedGround, layEquippedGround } from './equipped-ground.ts'
export type { Prepared } from './set-up.ts'

/** The set-ups that endpoints need, by their key, to respond to an admitted caller as declared. */
export const SET_UPS: SetUps = {
  ...signInSetUps,
  ...customerSetUps,
  ...billingSetUps,
  ...brandingSetUps,
  ...channelSetUps,
  ...deskSetUps,
  ...fileSetUps,
  ...machineSetUps,
  ...backupSetUps,
  ...panelSetUps,
  ...statusSetUps,
  ...suspensionSetUps,
  ...usageSetUps,
}
