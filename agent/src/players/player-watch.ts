import type { WorkloadSample } from '@lodge/driver/driver.ts'
import type { ServerPlayers } from '@lodge/proto/server.ts'
import type { PortPublication } from '@lodge/shared/container-spec.ts'
import type { PlayerQuery } from '@lodge/shared/players.ts'
import type { Clock } from '../clock.ts'
import { askPlayers, type Told, transportOf } from './ask.ts'
import { readPlayerList } from './read-list.ts'

/** A server is not asked more often, however often it is measured. */
const EVERY_MS = 10_000

/** A server that can be asked who plays. */
export interface AskedServer {
  readonly query: PlayerQuery
  readonly ports: readonly PortPublication[]
}

export interface PlayerWatchOptions {
  readonly clock: Clock
  readonly serverOf: (serverId: string) => AskedServer | undefined
  readonly dataFolder: (serverId: string) => string
}

interface Watched {
  askedMs: number
  told: ServerPlayers | undefined
}

/**
 * Knows who plays on the servers of this node. Servers are asked beside the measurements, which never
 * wait for an answer; one that is silent keeps its last answer, with the time of it.
 */
export class PlayerWatch {
  readonly #options: PlayerWatchOptions
  #watched = new Map<string, Watched>()

  constructor(options: PlayerWatchOptions) {
    this.#options = options
  }

  /** What these servers told last. Those that were not asked lately are asked now, for the next time. */
  of(running: readonly WorkloadSample[]): ReadonlyMap<string, ServerPlayers> {
    const nowMs = this.#options.clock.nowMs()
    const before = this.#watched
    this.#watched = new Map()
    const known = new Map<string, ServerPlayers>()
    for (const { serverId } of running) {
      const server = this.#options.serverOf(serverId)
      if (!server) continue
      const watched = before.get(serverId) ?? { askedMs: 0, told: undefined }
      this.#watched.set(serverId, watched)
      if (watched.told) known.set(serverId, watched.told)
      if (nowMs - watched.askedMs < EVERY_MS) continue
      watched.askedMs = nowMs
      void this.#ask(serverId, server).then((told) => {
        if (told)
          watched.told = {
            at: new Date(this.#options.clock.nowMs()),
            ...told,
            names: [...told.names],
          }
      })
    }
    return known
  }

  async #ask(serverId: string, { query, ports }: AskedServer): Promise<Told | undefined> {
    const { clock, dataFolder } = this.#options
    if (query.kind === 'file')
      return readPlayerList(dataFolder(serverId), query.path, clock.nowMs())
    const over = transportOf(query.protocol)
    // Only a port that is the server's own.
    const port = ports.find(
      ({ containerPort, protocol }) => containerPort === query.port && protocol === over,
    )
    return port && askPlayers(query.protocol, port.hostPort).catch(() => undefined)
  }
}
