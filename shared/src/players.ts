import { z } from 'zod'

/** The protocols by which a game server reports its players. */
export const QUERY_PROTOCOLS = [
  'gamespy3',
  'minecraft',
  'minecraft-bedrock',
  'mumble',
  'openttd',
  'quake3',
  'valve',
] as const
export type QueryProtocol = (typeof QUERY_PROTOCOLS)[number]

/**
 * How the node finds out who is playing: by a protocol on one of the server's ports, or from a file
 * the game writes.
 */
export const PlayerQuery = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('protocol'),
    protocol: z.enum(QUERY_PROTOCOLS),
    port: z.int().min(1).max(65535).describe('a container port'),
  }),
  z.strictObject({ kind: z.literal('file'), path: z.string().min(1).max(512) }),
])
export type PlayerQuery = z.infer<typeof PlayerQuery>

/** At most this many names, none longer than this. */
export const MAX_PLAYER_NAMES = 200
export const MAX_PLAYER_NAME = 64

/** Who was playing at the last query. */
export interface KnownPlayers {
  readonly at: string
  readonly online: number
  readonly most: number | null
  readonly names: readonly string[]
}

/** Who is playing on a server. */
export const Players = z.object({
  asked: z
    .boolean()
    .describe('false when nothing is known of how to ask a server of this template'),
  at: z.iso.datetime().nullable().describe('when it answered last'),
  online: z.int().min(0).nullable(),
  most: z.int().min(0).nullable().describe('null where the server does not say'),
  names: z
    .array(z.string().max(MAX_PLAYER_NAME))
    .max(MAX_PLAYER_NAMES)
    .describe('as far as the server tells them'),
})
export type Players = z.infer<typeof Players>

/** One line of visible characters. */
export const playerName = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu, '')
    .trim()
    .slice(0, MAX_PLAYER_NAME)
