import type { WorkloadSample } from '@lodge/driver/driver.ts'
import type { ServerPlayers, ServerSample } from '@lodge/proto/server.ts'

/** Turns counters into rates by comparing each sample with the previous one of the same server. */
export class Rates {
  #before = new Map<string, WorkloadSample>()

  take(
    samples: readonly WorkloadSample[],
    players: ReadonlyMap<string, ServerPlayers>,
  ): ServerSample[] {
    const before = this.#before
    this.#before = new Map(samples.map((sample) => [sample.serverId, sample]))
    return samples.map((sample) => {
      const earlier = before.get(sample.serverId)
      const seconds = earlier ? (sample.at.getTime() - earlier.at.getTime()) / 1000 : 0
      // A counter that went down belongs to a new run.
      const rate = (now: number, then: number | undefined) =>
        then !== undefined && seconds > 0 && now >= then ? (now - then) / seconds : 0
      return {
        serverId: sample.serverId,
        at: sample.at,
        cpuPercent: sample.cpuPercent,
        memoryBytes: Math.round(sample.memoryBytes),
        memoryOfNode: sample.memoryOfNode ?? false,
        networkRxBytesPerSecond: rate(sample.networkRxBytes, earlier?.networkRxBytes),
        networkTxBytesPerSecond: rate(sample.networkTxBytes, earlier?.networkTxBytes),
        diskBytes: sample.diskBytes === null ? undefined : Math.round(sample.diskBytes),
        players: players.get(sample.serverId),
      }
    })
  }
}
