import type { Restriction } from '@lodge/shared/restriction.ts'
import type { SuspensionOptions } from '@lodge/shared/suspensions.ts'
import type { Ctx } from '../../context.ts'
import { closeConnections, endCredentials, endSessions } from '../auth/index.ts'
import { updateUser } from '../customers/index.ts'
import { liftSuspensionsOf, suspendServersOf } from '../servers/index.ts'
import type { SuspensionRow } from './tables.ts'

/** What the account may still use. */
const restrictionBy = (options: SuspensionOptions): Restriction => ({
  signIn: !options.blockSignIn,
  notice: options.allowAppeal,
  tickets: options.allowTickets,
  dataExport: options.allowDataExport,
})

/**
 * Applies the options to the account, its sessions and its servers, in the transaction of the change,
 * which has locked the account.
 * @param before the former options, if it is suspended already
 */
export async function takeEffect(
  ctx: Ctx,
  { customerId, options }: SuspensionRow,
  before?: SuspensionOptions,
): Promise<void> {
  const restriction = restrictionBy(options)
  await updateUser(ctx.db, customerId, { state: 'suspended', restriction })
  if (options.revokeTokens && !before?.revokeTokens) await endCredentials(ctx, customerId)
  if (restriction.signIn) await closeConnections(ctx, customerId)
  else await endSessions(ctx, customerId)
  if (options.stopServers === (before?.stopServers ?? false)) return
  if (options.stopServers) await suspendServersOf(ctx, customerId, 'account')
  else await liftSuspensionsOf(ctx, customerId, 'account', true)
}
