import type { Failover } from '@lodge/proto/server.ts'
import { reasonOf } from '../reason-of.ts'
import type { ReconciledServer } from '../reconcile/state/reconciled-server.ts'

/**
 * Binds one server to the lease of its node, and promises it to the control plane once it is in
 * force: from then on its workload is dead when the lease has ended, whatever becomes of the agent.
 */
export class Binding {
  readonly #server: ReconciledServer
  /** The guard was told of it by this agent. */
  #isTold = false
  #isBinding = false

  constructor(server: ReconciledServer) {
    this.#server = server
  }

  /** Only a newer revision changes anything; an absent one is from a session without leases. */
  setMode(failover: Failover | undefined): void {
    const { memory, around, serverId } = this.#server
    if (!failover || failover.revision <= memory.failover.revision) return
    const mode = failover.mode === 'auto' ? 'auto' : 'pinned'
    memory.failover = { mode, revision: failover.revision }
    memory.guardedRevision = 0
    this.#isTold = false
    this.#server.save()
    if (mode === 'pinned') around.leases.release(serverId)
    around.changed(serverId)
  }

  /** Does what is still missing. Called whenever something changed, while no work is under way. */
  bind(): void {
    const { memory, around, serverId, facts } = this.#server
    const { mode, revision } = memory.failover
    if (mode !== 'auto' || this.#isBinding || this.#server.work !== null) return
    if (this.#isTold && memory.guardedRevision === revision) return
    const { leases } = around
    // One that runs already goes on under a lease, or not at all.
    const isNew = memory.guardedRevision !== revision
    if (isNew && !(leases.isGuarded && leases.mayConfirm(facts.running))) return
    this.#isBinding = true
    this.#tell(revision)
      .catch((error: unknown) => {
        around.log.warn({ serverId, why: reasonOf(error) }, 'a server is not guarded yet')
      })
      .finally(() => {
        this.#isBinding = false
      })
  }

  async #tell(revision: number): Promise<void> {
    const { memory, around, serverId } = this.#server
    const traces = await around.driver.tracesOf(serverId)
    if (traces.length > 0) await around.leases.guard(serverId, traces)
    const { work, facts } = this.#server
    const isSame = memory.failover.mode === 'auto' && memory.failover.revision === revision
    if (!isSame || work !== null) return
    this.#isTold = true
    if (memory.guardedRevision === revision) return
    // Without traces nothing of it can run, and it is only started with a permit from now on.
    if (traces.length === 0 && facts.running) return
    if (!around.leases.mayConfirm(facts.running)) return
    memory.guardedRevision = revision
    this.#server.save()
    around.changed(serverId)
  }
}
