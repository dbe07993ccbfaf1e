import type { ServerObserved } from '@lodge/proto/server.ts'
import type { ObservedState } from '@lodge/shared/servers.ts'
import { wireExit } from './event.ts'
import type { KeptServer } from './kept-server.ts'

/** What the agent sees of a server, as one word. */
export function observedState(
  keeper: Pick<KeptServer, 'memory' | 'facts' | 'work'>,
): ObservedState {
  const { memory, facts, work } = keeper
  if (memory.gone) return 'absent'
  if (work === 'install') return 'installing'
  if (work === 'end') return 'stopping'
  if (work === 'remove') return facts.running ? 'stopping' : 'stopped'
  if (work === 'start') return 'starting'
  if (work === 'judge_end' || memory.phase === 'starting') {
    return memory.phase === 'running' ? 'running' : 'starting'
  }
  if (facts.running) return memory.phase === 'running' ? 'running' : 'stopping'
  if (memory.phase === 'crashed') return 'crashed'
  if (memory.phase === 'running') return 'starting'
  return facts.exists || memory.installed !== 0 || memory.installFailed > 0 ? 'stopped' : 'absent'
}

/** The whole observation; `observation` is the agent's counter. */
export function observe(keeper: KeptServer, observation: number): ServerObserved {
  const { memory, wish, serverId } = keeper
  return {
    serverId,
    observation,
    state: observedState(keeper),
    since: new Date(memory.sinceMs),
    generation: wish?.generation ?? 0,
    settledGeneration: Math.min(memory.settled, wish?.generation ?? 0),
    failure: memory.failure ?? undefined,
    lastExit: memory.lastExit ? wireExit(memory.lastExit) : undefined,
    run: memory.run,
    installed: Math.max(0, memory.installed),
    restartAt: memory.restartAtMs === null ? undefined : new Date(memory.restartAtMs),
    restartRequired: memory.restartRequired && keeper.facts.running,
    diskLimit: memory.diskLimit,
    installFailed: memory.installFailed > memory.installed,
    bootWaitsFor: keeper.bootWaitsFor || undefined,
  }
}
