import { setTimeout as delay } from 'node:timers/promises'
import type { DriverEvent, Exit } from '@lodge/driver/driver.ts'
import type { Engine } from './client.ts'
import { exitOf } from './exit.ts'
import { LABEL } from './names.ts'

/** The parts used here of the engine's event message. */
interface Message {
  readonly Action: string
  readonly Actor: { readonly ID: string; readonly Attributes: Readonly<Record<string, string>> }
  readonly timeNano: number
}

const REMEMBERED = 512
const LONGEST_PAUSE_MS = 2000

export interface EventSource {
  events(signal: AbortSignal): AsyncIterable<DriverEvent>
  /**
   * Announces that the driver itself is about to remove this container to recreate it; suppresses
   * the event.
   */
  expectRemoval(containerId: string): void
  /**
   * Announces that the driver is about to kill this server, so that its exit needs no inspection.
   */
  expectKill(serverId: string): void
}

/** Translates the engine's events for containers of this scope into driver events. */
export function engineEvents(engine: Engine, scope: string): EventSource {
  const expected = new Set<string>()
  const killed = new Set<string>()

  async function meaning(message: Message): Promise<DriverEvent | null> {
    const serverId = message.Actor.Attributes[LABEL.server]
    if (serverId === undefined) return null
    const at = new Date(message.timeNano / 1e6)
    switch (message.Action) {
      case 'start':
        return { kind: 'started', serverId, at }
      case 'oom':
        return { kind: 'out-of-memory', serverId, at }
      case 'destroy':
        return expected.delete(message.Actor.ID) ? null : { kind: 'removed', serverId, at }
      case 'die': {
        const code = Number(message.Actor.Attributes.exitCode ?? 0)
        return { kind: 'exited', serverId, exit: exitOf(code, false, at) }
      }
      default:
        return null
    }
  }

  /** Completes an exit with the engine's record, so that `recover` later reports the same. */
  async function completed(containerId: string, exit: Exit): Promise<Exit> {
    const container = engine.docker.getContainer(containerId)
    const facts = await engine
      .find((abortSignal) => container.inspect({ abortSignal }))
      .catch(() => null)
    if (!facts || facts.State.Running) return exit
    const { OOMKilled, FinishedAt } = facts.State
    return { ...exit, outOfMemory: OOMKilled || exit.outOfMemory, at: new Date(FinishedAt) }
  }

  async function* read(since: number, signal: AbortSignal): AsyncIterable<Message> {
    const stream = await engine.call(
      (abortSignal) =>
        engine.docker.getEvents({
          since: since / 1000,
          filters: JSON.stringify({
            type: ['container'],
            label: [`${LABEL.scope}=${scope}`, `${LABEL.kind}=run`],
            event: ['start', 'die', 'oom', 'destroy'],
          }),
          abortSignal,
        }),
      { signal },
    )
    const stop = () =>
      'destroy' in stream && typeof stream.destroy === 'function' && stream.destroy()
    signal.addEventListener('abort', stop, { once: true })
    let rest = ''
    try {
      for await (const chunk of stream) {
        rest += chunk.toString()
        const lines = rest.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line.trim() !== '') yield parse(line)
      }
    } finally {
      signal.removeEventListener('abort', stop)
      stop()
    }
  }

  /**
   * Runs until `signal` aborts. Reconnects after a lost connection and then yields `reset` first.
   * Drops events that the engine replays.
   */
  async function* follow(begun: number, signal: AbortSignal): AsyncGenerator<DriverEvent> {
    const said = new Set<string>()
    const outOfMemory = new Set<string>()
    let since = begun
    let lost = false
    for (let pause = 50; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        if (lost) await engine.call(() => engine.docker.ping(), { signal })
        if (lost) yield { kind: 'reset' }
        lost = false
        for await (const message of read(since, signal)) {
          pause = 50
          since = Math.max(since, message.timeNano / 1e6)
          const key = `${message.Actor.ID} ${message.Action} ${message.timeNano}`
          if (said.has(key)) continue
          said.add(key)
          if (said.size > REMEMBERED) said.delete(said.values().next().value ?? '')
          const event = await meaning(message)
          if (event === null) continue
          if (event.kind === 'started') {
            outOfMemory.delete(event.serverId)
            killed.delete(event.serverId)
          }
          if (event.kind === 'out-of-memory') outOfMemory.add(event.serverId)
          if (event.kind === 'exited') {
            const seen = { ...event.exit, outOfMemory: outOfMemory.delete(event.serverId) }
            // The engine reports the exit at once but answers an inspect only after its cleanup, so
            // for our own kills the known result is used.
            const ours = killed.delete(event.serverId) && seen.signal === 'SIGKILL'
            const exit = ours ? seen : await completed(message.Actor.ID, seen)
            yield { ...event, exit }
          } else yield event
        }
      } catch (error) {
        if (signal.aborted) return
        void error
      }
      lost = true
      await delay(pause, undefined, { signal }).catch(() => {})
    }
  }

  return {
    events(signal) {
      return follow(Date.now(), signal)
    },
    expectRemoval(containerId) {
      expected.add(containerId)
      if (expected.size > REMEMBERED) expected.delete(expected.values().next().value ?? '')
    },
    expectKill(serverId) {
      killed.add(serverId)
      if (killed.size > REMEMBERED) killed.delete(killed.values().next().value ?? '')
    },
  }
}

function parse(line: string): Message {
  return JSON.parse(line)
}
