import type { WorkloadSample } from '@lodge/driver/driver.ts'
import type { ServerPlayers } from '@lodge/proto/server.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import { OutputUnread, type ServerFacts } from '@lodge/shared/schedule-tasks.ts'
import { isCleanExit, serverStatus } from '@lodge/shared/server-status.ts'
import { consoleOf } from '../console/driver-console.ts'
import type { Sampler } from '../metrics/sampler.ts'
import type { PlayerWatch } from '../players/player-watch.ts'
import { observedState } from '../reconcile/state/observe.ts'
import type { ReconciledServer } from '../reconcile/state/reconciled-server.ts'

/** What the node measures of a server. */
interface Measured {
  readonly sample: WorkloadSample | undefined
  readonly players: ServerPlayers | undefined
}

const PLAYERS_OLD_MS = 600_000

/** What conditions of tasks are compared with, as the node has measured it last. */
export const measuredFacts =
  (sampler: Pick<Sampler, 'latest'>, players: Pick<PlayerWatch, 'latest'>) =>
  (server: ReconciledServer): ServerFacts =>
    factsOf(server, {
      sample: sampler.latest?.servers.find((one) => one.serverId === server.serverId),
      players: players.latest(server.serverId),
    })

function factsOf(server: ReconciledServer, measured: Measured): ServerFacts {
  const { memory, desired, around, serverId } = server
  const observed = observedState(server)
  const spec = desired?.spec
  const sizes = spec && !isMachine(spec) ? spec.limits : { memoryMb: 0, diskMb: 0 }
  const { sample, players } = measured
  const known = (usedBytes: number | null | undefined, sizeMb: number) => ({
    usedBytes: sizeMb > 0 ? (usedBytes ?? null) : null,
    sizeMb,
  })
  return {
    status: serverStatus({
      desiredPower: desired?.power ?? 'off',
      observedState: observed,
      restartPending: memory.restartAtMs !== null,
      endedWell:
        memory.failure === null && memory.lastExit !== null && isCleanExit(memory.lastExit),
      installFailed: memory.installFailed > memory.installed,
      // The control plane sends no schedules of a server that is held.
      holds: [],
      nodeSilent: false,
    }),
    isOn: observed === 'running' || observed === 'starting' || observed === 'stopping',
    disk: known(sample?.diskBytes, sizes.diskMb),
    memory: known(sample?.memoryBytes, sizes.memoryMb),
    async players() {
      const atMs = players?.at?.getTime() ?? 0
      return around.clock.nowMs() - atMs < PLAYERS_OLD_MS ? players?.online : undefined
    },
    async output(lines) {
      try {
        return await consoleOf(around.driver).tail(serverId, lines, 'run')
      } catch (error) {
        throw new OutputUnread(error instanceof Error ? error.message : String(error))
      }
    },
  }
}
