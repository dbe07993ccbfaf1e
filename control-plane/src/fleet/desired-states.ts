import type { FleetHandlers } from './handlers.ts'
import type { Outbox } from './outbox.ts'

/** Beyond so many changed servers, sending every desired state is cheaper than asking for each. */
const MANY = 32

/**
 * Brings the desired states of one node to its agent. Only one question to the database is under way at a
 * time, so what is sent never goes back in time; servers that change meanwhile are asked once more.
 */
export class DesiredStates {
  readonly #nodeId: string
  readonly #handlers: Pick<FleetHandlers, 'desired' | 'desiredOne' | 'desiredNode'>
  readonly #outbox: Outbox
  readonly #failed: (error: unknown) => void
  readonly #changed = new Set<string>()
  #all = false
  #running: Promise<void> | undefined
  #active = false
  #closed = false

  constructor(
    nodeId: string,
    handlers: Pick<FleetHandlers, 'desired' | 'desiredOne' | 'desiredNode'>,
    outbox: Outbox,
    failed: (error: unknown) => void,
  ) {
    this.#nodeId = nodeId
    this.#handlers = handlers
    this.#outbox = outbox
    this.#failed = failed
  }

  /** The desired state for this server may have changed; without an id, any may have. */
  changed(serverId?: string): void {
    if (this.#closed) return
    if (serverId === undefined || this.#changed.size >= MANY) this.#all = true
    else this.#changed.add(serverId)
    if (this.#active) return
    this.#active = true
    this.#running = this.#run()
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      await this.#send()
    } catch (error) {
      if (!this.#closed) this.#failed(error)
    } finally {
      this.#active = false
    }
  }

  async #send(): Promise<void> {
    while (!this.#closed && (this.#all || this.#changed.size > 0)) {
      const changed = [...this.#changed]
      this.#changed.clear()
      if (this.#all) {
        this.#all = false
        const [node, desiredStates] = await Promise.all([
          this.#handlers.desiredNode(this.#nodeId),
          this.#handlers.desired(this.#nodeId),
        ])
        this.#outbox.setDesiredNode(node)
        if (!this.#closed) await this.#outbox.setAllDesired(desiredStates)
        continue
      }
      for (const serverId of changed) {
        const desired = await this.#handlers.desiredOne(this.#nodeId, serverId)
        if (this.#closed) return
        if (desired) this.#outbox.setDesired(desired)
        // No desired state any more: only the complete list tells the agent so.
        else this.#all = true
      }
    }
  }
}
