import { MAX_PLAYER_NAMES, playerName, type QueryProtocol } from '@lodge/shared/players.ts'
import { narrowTcpPort, narrowUdpPort } from './narrow-port.ts'

/** Who plays, as a server tells it. */
export interface Told {
  readonly online: number
  readonly most: number | undefined
  readonly names: readonly string[]
}

/** What gamedig calls a protocol, and what it runs over. */
const PROTOCOLS: Readonly<Record<QueryProtocol, readonly [type: string, over: 'udp' | 'tcp']>> = {
  gamespy3: ['protocol-gamespy3', 'udp'],
  minecraft: ['protocol-minecraftvanilla', 'tcp'],
  'minecraft-bedrock': ['protocol-minecraftbedrock', 'udp'],
  mumble: ['protocol-mumbleping', 'udp'],
  openttd: ['protocol-openttd', 'tcp'],
  quake3: ['protocol-quake3', 'udp'],
  valve: ['protocol-valve', 'udp'],
}

/** What a protocol runs over. */
export const transportOf = (protocol: QueryProtocol): 'udp' | 'tcp' => PROTOCOLS[protocol][1]

const MOST_PLAYERS = 1_000_000
const ANSWER_MS = 2_000
const ALL_MS = 5_000

/** Loaded by the first node that asks: it knows some fifty protocols. */
let library: Promise<InstanceType<typeof import('gamedig')['GameDig']>> | undefined
const gamedig = () => (library ??= import('gamedig').then(({ GameDig }) => new GameDig()))

/**
 * Asks a server of this node who plays. The answer is a stranger's: it is cut in size, in time and to
 * visible characters.
 * @returns undefined when it does not answer, or not in that protocol
 */
export async function askPlayers(
  protocol: QueryProtocol,
  hostPort: number,
): Promise<Told | undefined> {
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
    return told(answer.numplayers, answer.maxplayers, answer.players)
  } catch {
    return undefined
  } finally {
    narrow.close()
  }
}

/** What is sensible of an answer; undefined when nothing is. */
export function told(online: unknown, most: unknown, players: unknown): Told | undefined {
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
