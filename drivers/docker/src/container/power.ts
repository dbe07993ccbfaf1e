import { cancellation } from '@lodge/driver/cancellation.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { Signal } from '@lodge/shared/container-spec.ts'
import { EngineError, portInUse, retryRuleConflicts, unavailable } from '../engine/client.ts'
import { type ContainerKind, containerName } from '../engine/names.ts'
import { removeContainer } from '../engine/removal.ts'
import type { Parts } from '../parts.ts'
import { endOrphans } from './orphans.ts'

const START_DEADLINE_MS = 60_000

/** Starts and stops existing containers. */
export interface Power {
  start(serverId: string, signal: AbortSignal): Promise<void>
  signal(serverId: string, signal: Signal): Promise<void>
  /** Kills a server and its installer, and cancels a start under way. */
  kill(serverId: string): Promise<void>
  isStarting(serverId: string): boolean
}

export function power(parts: Parts): Power {
  const { consoles, data, engine, firewall, networks, scope, source, stalePorts } = parts
  const starts = cancellation('start_failed')
  const kills = new Map<string, Promise<unknown>>()

  const container = (serverId: string, kind: ContainerKind = 'run') =>
    engine.docker.getContainer(containerName(scope, serverId, kind))

  const send = (serverId: string, kind: ContainerKind, signal: Signal) =>
    whenRunning(() =>
      engine.call((abortSignal) => container(serverId, kind).kill({ signal, abortSignal })),
    )

  async function start(serverId: string, signal: AbortSignal): Promise<void> {
    // An engine still finishing the kill of the last run could mistake the new run for it.
    await kills.get(serverId)
    await Promise.all([data.mount(serverId), firewall.ensure()])
    try {
      await consoles.attachForStart(serverId, signal)
      // Not aborted by `signal`: afterwards it must be known whether the server runs.
      await retryRuleConflicts(() =>
        engine.call((abortSignal) => container(serverId).start({ abortSignal }), {
          deadlineMs: START_DEADLINE_MS,
        }),
      )
    } catch (error) {
      if (error instanceof EngineError && error.status === 304) return
      consoles.detach(serverId)
      if (isHalfMade(error)) await removeHalfMade(serverId, error)
      await freePort(error)
      if (!isAboutNetwork(error)) throw error
      networks.forget(serverId)
      await removeContainer(engine, containerName(scope, serverId, 'run'))
      const options = { retryable: true, cause: error }
      throw new DriverError('start_failed', 'The network of the server was gone.', options)
    }
    void firewall.publish().catch(() => {})
    if (!signal.aborted) return
    await send(serverId, 'run', 'SIGKILL')
    signal.throwIfAborted()
  }

  /**
   * Turns a port conflict into a retryable error when only a stale reservation of the engine holds
   * the port.
   */
  async function freePort(error: unknown): Promise<void> {
    const port = error instanceof EngineError ? portInUse(error.message) : null
    if (port === null || !(await stalePorts.free(port))) return
    throw unavailable('Docker had kept a port that nobody uses and is restarted.', error)
  }

  /**
   * The engine died during an earlier start of this container; removes it, so that the retry
   * creates a new one.
   */
  async function removeHalfMade(serverId: string, cause: unknown): Promise<never> {
    const facts = await engine.find((abortSignal) => container(serverId).inspect({ abortSignal }))
    if (facts) {
      source.expectRemoval(facts.Id)
      await endOrphans([facts.Id])
      await removeContainer(engine, facts.Id)
    }
    throw unavailable('Docker had kept the rest of an earlier start.', cause)
  }

  return {
    start: (serverId, signal) => starts.during(serverId, signal, (own) => start(serverId, own)),
    signal: (serverId, signal) => send(serverId, 'run', signal),
    async kill(serverId) {
      starts.cancel(serverId)
      source.expectKill(serverId)
      const kill = Promise.all([
        send(serverId, 'run', 'SIGKILL'),
        send(serverId, 'install', 'SIGKILL'),
      ])
      const answered = Promise.allSettled([kills.get(serverId), kill])
      kills.set(serverId, answered)
      void answered.then(() => {
        if (kills.get(serverId) === answered) kills.delete(serverId)
      })
      await kill
    },
    isStarting: starts.isUnderWay,
  }
}

function isHalfMade(error: unknown): boolean {
  const left = /task .*already exists|failed to start shim.*file exists/i
  return error instanceof EngineError && left.test(error.message)
}

function isAboutNetwork(error: unknown): boolean {
  return error instanceof EngineError && error.status === 404 && /network/i.test(error.message)
}

/** Ignores that the container is not running (409) or does not exist (404). */
async function whenRunning(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (![404, 409].includes(error.status) && !/is not running/i.test(error.message)) throw error
  }
}
