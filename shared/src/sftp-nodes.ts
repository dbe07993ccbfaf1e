import { z } from 'zod'

/** What an agent says of the port on which its node serves SFTP itself. */
export const SftpReport = z.strictObject({
  /** Null: none is open. */
  port: z.int().min(1).max(65535).nullable(),
  /** Why the wanted port is not open. */
  why: z.string().max(300).nullable(),
  hostKeys: z
    .array(z.strictObject({ type: z.string().max(50), fingerprint: z.string().max(100) }))
    .max(5),
})
export type SftpReport = z.infer<typeof SftpReport>

const credential = z.strictObject({ kind: z.enum(['key', 'password']), id: z.uuid() })
const address = z.string().min(1).max(64)
const userName = z.string().max(64)

/** Who asks to be let in, as the agent saw it. */
export const SftpSignIn = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('password'),
    ...{ userName, address },
    password: z.string().max(200),
  }),
  /** The client offers a public key (Base64); nothing is proven yet. */
  z.strictObject({ by: z.literal('key'), userName, address, key: z.string().max(8_192) }),
  /** Somebody could not prove who they are. */
  z.strictObject({ by: z.literal('nothing'), address }),
  /** Somebody has proven who they are and is in. */
  z.strictObject({
    by: z.literal('proof'),
    ...{ userId: z.uuid(), serverId: z.uuid(), address, credential },
  }),
])
export type SftpSignIn = z.input<typeof SftpSignIn>

/** Who somebody is and what they may, as the control plane decides it. */
export const SftpAdmission = z.object({
  userId: z.uuid(),
  serverId: z.uuid(),
  credential: credential.extend({ line: z.string() }),
  /** Text that only equal rights share. */
  standing: z.string(),
  /** Changes whenever a row changes that the rights depend on. */
  mark: z.string(),
  /** For the file service: the rules and rights of `fileHeaders`. */
  headers: z.record(z.string(), z.string()),
})
export type SftpAdmission = z.infer<typeof SftpAdmission>

export const SftpVerdict = z.object({
  admitted: SftpAdmission.nullable(),
  /** Too many refusals: the connection ends. */
  over: z.boolean(),
})

/** So many connections are asked about at once. */
export const MOST_STANDINGS = 50

export const SftpStandings = z.strictObject({
  connections: z
    .array(
      z.strictObject({
        ...{ userId: z.uuid(), serverId: z.uuid(), address, credential },
        /** The mark last seen; null to have the rights read again. */
        mark: z.string().max(2_000).nullable(),
      }),
    )
    .max(MOST_STANDINGS),
})
export type SftpStandings = z.infer<typeof SftpStandings>

/** What became of each connection, in order. */
export const SftpStanding = z.discriminatedUnion('now', [
  /** Nothing has changed that its rights depend on. */
  z.object({ now: z.literal('same') }),
  z.object({
    now: z.literal('admitted'),
    ...{ standing: z.string(), mark: z.string() },
    headers: z.record(z.string(), z.string()),
  }),
  z.object({ now: z.literal('ended') }),
])
export type SftpStanding = z.infer<typeof SftpStanding>
