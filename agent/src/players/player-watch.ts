import type { WorkloadSample } from '@lodge/driver/driver.ts'
import type { ServerPlayers } from '@lodge/proto/server.ts'
import type { PortPublication } from '@lodge/shared/container-spec.ts'
import type { PlayerQuery } from '@lodge/shared/players.ts'
import type { Clock } from '../clock.ts'
import { askPlayers, type PlayerAnswer, transportOf } from './ask.ts'
import { readPlayerList } from './read-list.ts'

/** Minimum interval between two queries to a server, however often it is sampled. */
const EVERY_MS = 10_000

/** A server that can be queried for its players. */
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
  players: ServerPlayers | undefined
}

/**
 * Tracks the players of this node's servers. Queries run in the background, so sampling never waits
 * for an answer; a server that stops answering keeps its last answer, with its time.
 */
export class PlayerWatch {
  readonly #options: PlayerWatchOptions
  #watched = new Map<string, Watched>()

  constructor(options: PlayerWatchOptions) {
    this.#options = options
  }

  /** The last answers of these servers. Starts a new query where the last one is old enough. */
  of(running: readonly WorkloadSample[]): ReadonlyMap<string, ServerPlayers> {
    const nowMs = this.#options.clock.nowMs()
    const before = this.#watched
    this.#watched = new Map()
    const known = new Map<string, ServerPlayers>()
    for (const { serverId } of running) {
      const server = this.#options.serverOf(serverId)
      if (!server) continue
      const watched = before.get(serverId) ?? { askedMs: 0, players: undefined }
      this.#watched.set(serverId, watched)
      if (watched.players) known.set(serverId, watched.players)
      if (nowMs - watched.askedMs < EVERY_MS) continue
      watched.askedMs = nowMs
      void this.#ask(serverId, server).then((players) => {
        if (players)
          watched.players = {
            at: new Date(this.#options.clock.nowMs()),
            ...players,
            names: [...players.names],
          }
      })
    }
    return known
  }

  /** The last answer of one server. */
  latest(serverId: string): ServerPlayers | undefined {
    return this.#watched.get(serverId)?.players
  }

  async #ask(serverId: string, { query, ports }: AskedServer): Promise<PlayerAnswer | undefined> {
    const { clock, dataFolder } = this.#options
    if (query.kind === 'file')
      return readPlayerList(dataFolder(serverId), query.path, clock.nowMs())
    const over = transportOf(query.protocol)
    // Query only ports that belong to this server.
    const port = ports.find(
      ({ containerPort, protocol }) => containerPort === query.port && protocol === over,
    )
    return port && askPlayers(query.protocol, port.hostPort).catch(() => undefined)
  }
}
