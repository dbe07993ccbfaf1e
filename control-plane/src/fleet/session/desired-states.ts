import type { FleetHandlers } from '../handlers.ts'
import type { Outbox } from './outbox.ts'

/** Above this many changed servers, resending all desired states is cheaper than reading each. */
const MANY = 32

/**
 * Sends the desired states of one node to its agent. Only one query runs at a time, so the agent
 * never receives an older state after a newer one; servers that change meanwhile are queried again.
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

  /** Signals that the desired state of this server may have changed; without an id, of any. */
  changed(serverId?: string): void {
    if (this.#closed) return
    if (serverId === undefined || this.#changed.size >= MANY) this.#all = true
    else this.#changed.add(serverId)
    if (this.#active) return
    this.#active = true
    this.#running = this.#run()
  }

  /** Resolves once no query is running. */
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
        const [node, { states, isWhole }] = await Promise.all([
          this.#handlers.desiredNode(this.#nodeId),
          this.#handlers.desired(this.#nodeId),
        ])
        this.#outbox.setDesiredNode(node)
        if (this.#closed) return
        if (isWhole) await this.#outbox.setAllDesired(states)
        else for (const desired of states) this.#outbox.setDesired(desired)
        continue
      }
      for (const serverId of changed) {
        const desired = await this.#handlers.desiredOne(this.#nodeId, serverId)
        if (this.#closed) return
        if (desired === 'withheld') continue
        if (desired) this.#outbox.setDesired(desired)
        // There is no desired state any more, and only the complete list conveys that.
        else this.#all = true
      }
    }
  }
}
