import type { AdminPermission } from '@lodge/shared/permissions.ts'

/** Who may receive an event: named people, everyone with a permission, or all signed-in users. */
export interface Audience {
  readonly userIds?: readonly string[]
  readonly permission?: AdminPermission
  readonly everyone?: boolean
}

export interface LiveEvent {
  /** `<instance>-<number>`; a reconnecting browser sends the last one it saw. */
  readonly id: string
  readonly event: string
  readonly data: unknown
  readonly audience: Audience
}

const KEEP_EVENTS = 4000
export const KEEP_MS = 10 * 60_000

/** Events of the last ten minutes, so that a short connection loss misses nothing. */
export class ReplayBuffer {
  readonly #events: { number: number; at: number; event: LiveEvent }[] = []
  #number = 0

  add(
    instanceId: string,
    loaded: { event: string; data: unknown; audience: Audience },
    passing = false,
  ): LiveEvent {
    if (passing) return { id: this.newestId(instanceId), ...pick(loaded) }
    const number = ++this.#number
    const event = { id: `${instanceId}-${number}`, ...pick(loaded) }
    this.#events.push({ number, at: Date.now(), event })
    const oldest = Date.now() - KEEP_MS
    while (this.#events.length > KEEP_EVENTS || (this.#events[0]?.at ?? oldest) < oldest)
      this.#events.shift()
    return event
  }

  newestId(instanceId: string): string {
    return `${instanceId}-${this.#number}`
  }

  /** Events after `id`; undefined if they are not all here and the client must reload. */
  since(id: string | undefined, instanceId: string): readonly LiveEvent[] | undefined {
    if (id === undefined) return undefined
    const number = id.startsWith(`${instanceId}-`)
      ? Number(id.slice(instanceId.length + 1))
      : Number.NaN
    if (!Number.isSafeInteger(number) || number > this.#number) return undefined
    const first = this.#events[0]?.number ?? this.#number + 1
    if (number < first - 1) return undefined
    return this.#events.filter((entry) => entry.number > number).map((entry) => entry.event)
  }

  /** An event was not kept, so clients at an older position must reload. */
  forget(): void {
    this.#number += 1
    this.#events.length = 0
  }

  reset(instanceId: string): LiveEvent {
    return {
      id: this.newestId(instanceId),
      event: 'reset',
      data: {},
      audience: { everyone: true },
    }
  }
}

const pick = ({ event, data, audience }: Omit<LiveEvent, 'id'>) => ({ event, data, audience })
