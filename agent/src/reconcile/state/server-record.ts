import type { ServerEvent } from '@lodge/shared/servers.ts'
import { type EventDetails, serverEvent } from './event.ts'
import type { Memory } from './memory.ts'
import type { Surroundings } from './surroundings.ts'

/** Writes what is known of a server, and what happened to it, to the journal. */
export class ServerRecord {
  readonly #serverId: string
  readonly #around: Surroundings
  readonly #memory: Memory
  #saved: string

  constructor(given: {
    serverId: string
    around: Surroundings
    memory: Memory
    /** The memory came from the journal. */
    isSaved: boolean
  }) {
    this.#serverId = given.serverId
    this.#around = given.around
    this.#memory = given.memory
    this.#saved = given.isSaved ? JSON.stringify(given.memory) : ''
  }

  /** Commits an event and the memory together, and tells of the event. */
  report(kind: ServerEvent['kind'], details: EventDetails): void {
    const serverId = this.#serverId
    const { journal, clock, log } = this.#around
    const value = serverEvent(serverId, kind, details.atMs ?? clock.nowMs(), details)
    try {
      journal.transaction(() => {
        journal.append({ $case: 'serverEvent', value })
        this.save()
      })
    } catch (error) {
      // The memory was taken back along with it.
      this.#saved = ''
      log.error({ err: error, serverId, kind }, 'an event was lost')
    }
    log.info({ serverId, event: kind, reason: details.reason }, 'server event')
    this.#around.happened(value)
    this.#around.reported()
  }

  /** Commits the memory if it has changed. @returns whether the journal has it */
  save(): boolean {
    const text = JSON.stringify(this.#memory)
    if (text === this.#saved) return true
    try {
      this.#around.journal.saveServer(this.#serverId, this.#memory)
      this.#saved = text
      return true
    } catch (error) {
      // A full disk must not prevent a stop; the next change writes this again.
      this.#around.log.error(
        { err: error, serverId: this.#serverId },
        'the journal cannot be written',
      )
      return false
    }
  }
}
