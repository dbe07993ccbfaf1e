import { Power, type ServerObserved } from '@lodge/proto/server.ts'
import type { ObservedState } from '@lodge/shared/servers.ts'
import { wireExit } from './event.ts'
import type { ReconciledServer } from './reconciled-server.ts'

/** The observed state of a server, as a single word. */
export function observedState(
  reconciler: Pick<ReconciledServer, 'memory' | 'facts' | 'work'>,
): ObservedState {
  const { memory, facts, work } = reconciler
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

/** The full observation; `observation` is the agent's counter. */
export function observe(reconciler: ReconciledServer, observation: number): ServerObserved {
  const { memory, desired, serverId } = reconciler
  return {
    serverId,
    observation,
    state: observedState(reconciler),
    since: new Date(memory.sinceMs),
    generation: desired?.generation ?? 0,
    settledGeneration: Math.min(memory.settled, desired?.generation ?? 0),
    failure: memory.failure ?? undefined,
    lastExit: memory.lastExit ? wireExit(memory.lastExit) : undefined,
    run: memory.run,
    installed: Math.max(0, memory.installed),
    restartAt: memory.restartAtMs === null ? undefined : new Date(memory.restartAtMs),
    restartRequired: memory.restartRequired && reconciler.facts.running,
    diskLimit: memory.diskLimit,
    installFailed: memory.installFailed > memory.installed,
    bootWaitsFor: reconciler.bootWaitsFor || undefined,
    guardedRevision: memory.guardedRevision,
    ownPower: memory.ownPower
      ? {
          generation: memory.ownPower.generation,
          power: memory.ownPower.power === 'on' ? Power.ON : Power.OFF,
        }
      : undefined,
  }
}
