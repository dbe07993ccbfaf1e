import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Trace } from '@lodge/driver/trace.ts'
import type { Logger } from 'pino'
import { reasonOf } from '../reason-of.ts'
import { bootMs } from './boot-clock.ts'
import { GuardConnection } from './connection.ts'
import { endGuard, type GuardPlaces, guardBuild, launchGuard } from './launch.ts'
import { LeaseWatch } from './lease-watch.ts'
import { type Answer, type Request, SOCKET } from './protocol.ts'
import { record, recorded } from './record.ts'
import { stateFile } from './state-file.ts'

const ASK_EVERY_MS = 1_000
/** Without a guard, the agent itself looks this often whether the lease has ended. */
const LOOK_EVERY_MS = 200
/** Until a guard that is starting listens, on a busy machine. */
const LISTENS_WITHIN_MS = 10_000
const GONE_WITHIN_MS = 5_000
const TRY_EVERY_MS = 50

/** The guard of this node, as the agent sees it. */
export interface Guard {
  /** When it was last heard, on the boot clock; null: not yet. */
  readonly heardMs: number | null
  /** When the lease ends that it knows of; null: it knows none of this boot of the machine. */
  readonly deadlineMs: number | null
  /** The lease that holds, also after `close`, while another agent renews it. */
  readonly lease: {
    /** When it ends, on the boot clock. */
    readonly deadlineMs: number
    /** Something is ended with it. */
    readonly isGuarding: boolean
  }
  /** Resolves when it has been heard, or could not be started. */
  readonly known: Promise<void>
  /** @throws Error when the guard did not confirm it */
  renew(deadlineMs: number): Promise<void>
  /** @throws Error when the guard did not confirm it */
  guard(serverId: string, traces: readonly Trace[]): Promise<void>
  /** @throws Error when the guard did not confirm it */
  release(serverId: string): Promise<void>
  /**
   * Ends the lease and everything guarded.
   * @returns the guarded servers of which something still runs
   */
  fence(): Promise<readonly string[]>
  /** When this server was ended with the lease, by the wall clock, oldest first. */
  endingsMs(serverId: string): Promise<readonly number[]>
  /** Stops following it; it goes on by itself. */
  close(): void
  /** Ends it. For a node that has nothing to guard any more. */
  end(): Promise<void>
}

/**
 * Keeps a guard running and knows what it knows, because a new one may have lost it. While none
 * answers, this process does a guard's work itself, as long as it runs.
 */
export function keepGuard(places: GuardPlaces, log: Logger): Guard {
  const state = stateFile(places.folder)
  const known = Promise.withResolvers<void>()
  let connection: GuardConnection | null = null
  let opening: Promise<GuardConnection> | null = null
  let heardMs: number | null = null
  let loggedReason = ''
  /** Released, of which the guard has not confirmed that it heard. */
  const unreleased = new Set<string>()
  /** Nothing was granted since the lease was ended. */
  let isFenced = false
  let closed = false
  /** What the guard was told, also by an earlier agent. */
  const own = new LeaseWatch({
    state: state.read(),
    bootMs,
    save: () => {},
    ended(ended) {
      log.warn(
        ended,
        'the agent has ended a server, because the lease is over and no guard answers',
      )
      record(places.recordFile, ended).catch((error: unknown) => {
        log.error({ err: error }, 'the record of the guard cannot be written')
      })
    },
  })

  async function ask(request: Request): Promise<Answer> {
    const answer = await (await opened()).ask(request)
    heardMs = bootMs()
    loggedReason = ''
    return answer
  }

  /** One attempt at a time, shared by all who ask meanwhile. */
  function opened(): Promise<GuardConnection> {
    if (closed) throw new Error('The agent is stopping.')
    if (connection) return Promise.resolve(connection)
    opening ??= open().finally(() => {
      opening = null
    })
    return opening
  }

  async function open(): Promise<GuardConnection> {
    let found = await dial(0)
    const present = await found?.ask({ do: 'tell' }).catch(() => null)
    if (!found || present?.build !== guardBuild(places)) {
      found?.close()
      await launchGuard(places)
      found = await dial(LISTENS_WITHIN_MS)
      if (!found) throw new Error('The guard does not listen.')
    }
    // It may have lost everything, or have been told by an agent that was killed meanwhile.
    try {
      await bring(found)
    } catch (error) {
      found.close()
      throw error
    }
    heardMs = bootMs()
    connection = found
    return found
  }

  /** Tells a guard what this agent knows. */
  async function bring(guard: GuardConnection): Promise<void> {
    const { deadlineMs, servers } = own.state
    for (const { serverId, traces } of servers) await guard.ask({ do: 'guard', serverId, traces })
    for (const serverId of unreleased) {
      await guard.ask({ do: 'release', serverId })
      unreleased.delete(serverId)
    }
    // One that was killed before it heard so still believes in the lease.
    if (isFenced) await guard.ask({ do: 'fence' })
    else own.renew((await guard.ask({ do: 'renew', deadlineMs })).deadlineMs)
  }

  async function dial(withinMs: number): Promise<GuardConnection | undefined> {
    for (const began = performance.now(); ; ) {
      try {
        const fresh = await GuardConnection.open(join(places.folder, SOCKET), () => {
          if (connection === fresh) connection = null
        })
        return fresh
      } catch {
        if (performance.now() - began >= withinMs) return undefined
        await delay(TRY_EVERY_MS)
      }
    }
  }

  async function follow(): Promise<void> {
    while (!closed) {
      try {
        await ask({ do: 'tell' })
      } catch (error) {
        const why = reasonOf(error)
        if (why !== loggedReason && !closed)
          log.error({ why }, 'the guard of this node does not answer')
        loggedReason = why
      }
      known.resolve()
      await delay(ASK_EVERY_MS, undefined, { ref: false })
    }
  }

  const looking = setInterval(() => {
    if (!connection || own.isEnding) own.look()
  }, LOOK_EVERY_MS).unref()
  void follow()

  const close = () => {
    closed = true
    clearInterval(looking)
    connection?.close()
    known.resolve()
  }
  return {
    get heardMs() {
      return heardMs
    },
    get deadlineMs() {
      return own.state.deadlineMs || null
    },
    get lease() {
      const kept = [own.state, state.read()]
      return {
        deadlineMs: Math.max(...kept.map(({ deadlineMs }) => deadlineMs)),
        isGuarding: kept.some(({ servers }) => servers.length > 0),
      }
    },
    known: known.promise,
    async renew(deadlineMs) {
      isFenced = false
      own.renew(deadlineMs)
      await ask({ do: 'renew', deadlineMs })
    },
    async guard(serverId, traces) {
      unreleased.delete(serverId)
      own.guard(serverId, traces)
      await ask({ do: 'guard', serverId, traces })
    },
    async release(serverId) {
      own.release(serverId)
      unreleased.add(serverId)
      await ask({ do: 'release', serverId })
      unreleased.delete(serverId)
    },
    async fence() {
      isFenced = true
      own.fence()
      await ask({ do: 'fence' }).catch(() => {})
      for (const began = performance.now(); ; await delay(TRY_EVERY_MS)) {
        own.look()
        const running = own.running()
        if (running.length === 0 || performance.now() - began > GONE_WITHIN_MS) return running
      }
    },
    async endingsMs(serverId) {
      const all = await recorded(places.recordFile)
      return all.filter((one) => one.serverId === serverId).map(({ at }) => Date.parse(at))
    },
    close,
    async end() {
      close()
      // One that is being started would live on.
      await opening?.catch(() => {})
      await endGuard(places)
    },
  }
}
