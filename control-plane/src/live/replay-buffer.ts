import type { AdminPermission } from '@lodge/shared/permissions.ts'

/** Who may hear of something: named people, everyone with a permission, or all who are signed in. */
export interface Audience {
  readonly userIds?: readonly string[]
  readonly permission?: AdminPermission
  readonly everyone?: boolean
}

export interface LiveEvent {
  /** `<instance>-<number>`; a browser that comes back names the last one it saw. */
  readonly id: string
  readonly event: string
  readonly data: unknown
  readonly audience: Audience
}

const KEEP_EVENTS = 4000
export const KEEP_MS = 10 * 60_000

/** The events of the last ten minutes, so that a short break of the line loses nothing. */
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

  /** What came after `id`; undefined when that cannot be told and everything must be loaded afresh. */
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

  /** Something happened that is not kept: who saw what was before has to load afresh. */
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
