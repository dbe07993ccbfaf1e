import { DriverError } from '@lodge/driver/driver.ts'
import { releasedPlacement } from '../../journal/released.ts'
import { reasonOf } from '../../reason-of.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'
import type { Allowed } from './boot-permit.ts'
import { tellToBoot } from './tell-to-boot.ts'

/**
 * Starts a server that runs under the lease of its node alone. The guard knows of it before it runs,
 * and the permit is judged once more directly before the runtime is told.
 * @throws {DriverError} `not_permitted`: another attempt needs another permit
 */
export async function bootGuarded(
  reconciler: ReconciledServer,
  { permit, question, reply }: Allowed,
  abort: AbortSignal,
): Promise<void> {
  const { serverId, around } = reconciler
  const { driver, journal, leases } = around
  const refuse = (why: string) => new DriverError('not_permitted', why, { retryable: true })
  const traces = await driver.tracesOf(serverId)
  await tellToBoot(reconciler, async () => {
    await leases.guard(serverId, traces).catch((error: unknown) => {
      throw refuse(`The guard of the node does not know of it: ${reasonOf(error)}`)
    })
    const why = leases.whyNoBoot(question, reply, releasedPlacement(journal, serverId))
    if (why !== undefined) throw refuse(`It may not start now (${why}).`)
    await driver.start(serverId, abort, permit)
    // The runtime may have taken longer than the lease lasted, and the node been taken over.
    if (!leases.isOver && leases.epoch === question.epoch) return
    await driver.kill(serverId)
    throw refuse('The lease of the node ended while it was started.')
  })
}
