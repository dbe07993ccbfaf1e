import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

/** A Lodge with an administrator, a customer and one server of theirs. */
export async function lodgeWithServer(): Promise<{
  lodge: Lodge
  admin: Caller
  customer: Caller
  serverId: string
}> {
  const lodge = await startLodge()
  const admin = await lodge.admin()
  const customer = await lodge.customer()
  const { id: nodeId } = await lodge.node()
  const { id: templateId } = await lodge.template()
  const serverId = await lodge.server({ ownerId: customer.id, templateId, nodeId })
  return { lodge, admin, customer, serverId }
}
