import { MAX_PLAYER_NAMES, playerName, type QueryProtocol } from '@lodge/shared/players.ts'
import { narrowTcpPort, narrowUdpPort } from './narrow-port.ts'

/** A server's answer to a player query. */
export interface PlayerAnswer {
  readonly online: number
  readonly most: number | undefined
  readonly names: readonly string[]
}

/** gamedig's name for a protocol, and its transport. */
const PROTOCOLS: Readonly<Record<QueryProtocol, readonly [type: string, over: 'udp' | 'tcp']>> = {
  gamespy3: ['protocol-gamespy3', 'udp'],
  minecraft: ['protocol-minecraftvanilla', 'tcp'],
  'minecraft-bedrock': ['protocol-minecraftbedrock', 'udp'],
  mumble: ['protocol-mumbleping', 'udp'],
  openttd: ['protocol-openttd', 'tcp'],
  quake3: ['protocol-quake3', 'udp'],
  valve: ['protocol-valve', 'udp'],
}

/** The transport of a protocol. */
export const transportOf = (protocol: QueryProtocol): 'udp' | 'tcp' => PROTOCOLS[protocol][1]

const MOST_PLAYERS = 1_000_000
const ANSWER_MS = 2_000
const ALL_MS = 5_000

/** Loaded on first use: the library covers some fifty protocols. */
let library: Promise<InstanceType<typeof import('gamedig')['GameDig']>> | undefined
const gamedig = () => (library ??= import('gamedig').then(({ GameDig }) => new GameDig()))

/**
 * Queries a server of this node for its players. The answer is untrusted, so its size, duration and
 * characters are limited.
 * @returns undefined when the server does not answer in that protocol
 */
export async function askPlayers(
  protocol: QueryProtocol,
  hostPort: number,
): Promise<PlayerAnswer | undefined> {
  const [type, over] = PROTOCOLS[protocol]
  const narrow = await (over === 'udp' ? narrowUdpPort(hostPort) : narrowTcpPort(hostPort))
  try {
    const asker = await gamedig()
    const answer = await asker.query({
      type,
      host: '127.0.0.1',
      port: narrow.port,
      givenPortOnly: true,
      portCache: false,
      maxRetries: 1,
      socketTimeout: ANSWER_MS,
      attemptTimeout: ALL_MS,
    })
    return plausibleAnswer(answer.numplayers, answer.maxplayers, answer.players)
  } catch {
    return undefined
  } finally {
    narrow.close()
  }
}

/**
 * Keeps only the plausible parts of an untrusted answer; undefined when the count is not plausible.
 */
export function plausibleAnswer(
  online: unknown,
  most: unknown,
  players: unknown,
): PlayerAnswer | undefined {
  const names = (Array.isArray(players) ? players : [])
    .slice(0, MAX_PLAYER_NAMES)
    .map((one: unknown) =>
      typeof one === 'object' && one !== null && 'name' in one ? one.name : one,
    )
    .flatMap((name) => (typeof name === 'string' ? playerName(name) : []))
    .filter((name) => name !== '')
    .sort()
  if (!isCount(online)) return undefined
  return { online, most: isCount(most) ? most : undefined, names }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_PLAYERS
