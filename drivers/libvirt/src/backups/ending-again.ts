import type { DriverWarning } from '@lodge/shared/driver-warnings.ts'

const FIRST_MS = 500
const MOST_MS = 30_000

interface Left {
  readonly since: Date
  why: string
  /** Until the next try. */
  waitMs: number
  timer: NodeJS.Timeout | undefined
}

/** Repeats what could not be undone, until it is: a guest that was left quiet cannot write. */
export interface EndingAgain {
  /** Tries again, first soon and then ever more rarely. */
  failed(serverId: string, error: unknown): void
  done(serverId: string): void
  isTrying(serverId: string): boolean
  /** What is still left, for the node's administrator. */
  complaints(): DriverWarning[]
  close(): void
}

export function endingAgain(given: {
  /** Calls `failed` or `done`. */
  readonly end: (serverId: string) => Promise<void>
  readonly log: (line: string) => void
}): EndingAgain {
  const left = new Map<string, Left>()
  let closed = false

  return {
    failed(serverId, error) {
      if (closed) return
      const why = error instanceof Error ? error.message : String(error)
      const one = left.get(serverId) ?? {
        ...{ since: new Date(), why, waitMs: FIRST_MS / 2, timer: undefined },
      }
      if (!left.has(serverId) || one.why !== why)
        given.log(`The copy of ${serverId} was not ended and is tried again: ${why}`)
      one.why = why
      one.waitMs = Math.min(one.waitMs * 2, MOST_MS)
      clearTimeout(one.timer)
      one.timer = setTimeout(() => void given.end(serverId), one.waitMs)
      one.timer.unref()
      left.set(serverId, one)
    },

    done(serverId) {
      const one = left.get(serverId)
      if (!one) return
      clearTimeout(one.timer)
      left.delete(serverId)
      given.log(`The copy of ${serverId} was ended after all.`)
    },

    isTrying: (serverId) => left.has(serverId),

    complaints: () =>
      [...left].map(
        ([server, { since, why }]): DriverWarning => ({
          code: 'copy_not_ended',
          values: { server, since: since.toISOString(), why },
        }),
      ),

    close() {
      closed = true
      for (const { timer } of left.values()) clearTimeout(timer)
    },
  }
}
