import type { Failover } from '@lodge/proto/server.ts'
import { reasonOf } from '../reason-of.ts'
import type { ReconciledServer } from '../reconcile/state/reconciled-server.ts'

/**
 * Binds one server to the lease of its node, and promises it to the control plane once it is in
 * force: from then on its workload is dead when the lease has ended, whatever becomes of the agent.
 */
export class Binding {
  readonly #server: ReconciledServer
  /** The guard was told by this agent that it is guarded, or that it is not. */
  #isGuardInformed = false
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
    this.#isGuardInformed = false
    this.#server.save()
    around.changed(serverId)
    this.bind()
  }

  /** Does what is still missing. Called whenever something changed, while no work is under way. */
  bind(): void {
    const { memory, around, facts } = this.#server
    const { mode, revision } = memory.failover
    if (this.#isBinding || this.#server.work !== null) return
    const { leases } = around
    if (mode !== 'auto') {
      if (!this.#isGuardInformed)
        this.#try(() => this.#release(), 'the guard did not release a server')
      return
    }
    if (this.#isGuardInformed && memory.guardedRevision === revision) return
    // One that runs already goes on under a lease, or not at all.
    const isNew = memory.guardedRevision !== revision
    if (isNew && !(leases.isGuarded && leases.mayConfirm(facts.running))) return
    this.#try(() => this.#tell(revision), 'a server is not guarded yet')
  }

  #try(act: () => Promise<void>, otherwise: string): void {
    const { around, serverId } = this.#server
    this.#isBinding = true
    act()
      .catch((error: unknown) => {
        around.log.warn({ serverId, why: reasonOf(error) }, otherwise)
      })
      .finally(() => {
        this.#isBinding = false
      })
  }

  /** An agent before this one may have been killed before the guard heard of it. */
  async #release(): Promise<void> {
    const { memory, around, serverId } = this.#server
    const { revision } = memory.failover
    await around.leases.release(serverId)
    this.#isGuardInformed = memory.failover.revision === revision
  }

  async #tell(revision: number): Promise<void> {
    const { memory, around, serverId } = this.#server
    const traces = await around.driver.tracesOf(serverId)
    if (traces.length > 0) await around.leases.guard(serverId, traces)
    const { work, facts } = this.#server
    const isSame = memory.failover.mode === 'auto' && memory.failover.revision === revision
    if (!isSame || work !== null) return
    this.#isGuardInformed = true
    if (memory.guardedRevision === revision) return
    // Without traces nothing of it can run, and it is only started with a permit from now on.
    if (traces.length === 0 && facts.running) return
    if (!around.leases.mayConfirm(facts.running)) return
    const before = memory.guardedRevision
    memory.guardedRevision = revision
    // Not promised before the next agent would keep it, too.
    if (this.#server.save()) around.changed(serverId)
    else memory.guardedRevision = before
  }
}
