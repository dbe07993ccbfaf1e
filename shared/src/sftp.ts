import { z } from 'zod'

const USER_NAME = /^([a-z0-9_-]{1,32})\.([0-9a-f]{12})$/
/** So many digits of the random part of an id tell a server from all others. */
const SERVER_DIGITS = 12

export const shortServerId = (serverId: string): string => serverId.slice(-SERVER_DIGITS)

/**
 * The name that a person signs in to the files of a server with: it has no character that an address
 * or a shell gives a meaning.
 */
export const sftpUserName = (email: string, serverId: string): string =>
  `${nameOf(email)}.${shortServerId(serverId)}`

const nameOf = (email: string): string =>
  (email.split('@')[0] ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .slice(0, 32) || '-'

export interface SftpUser {
  readonly serverDigits: string
  /** Whether it is the name of this account. */
  isOf(email: string): boolean
}

export function readSftpUserName(userName: string): SftpUser | undefined {
  const [, name, serverDigits] = USER_NAME.exec(userName) ?? []
  if (name === undefined || serverDigits === undefined) return undefined
  return { serverDigits, isOf: (email) => nameOf(email) === name }
}

export const SSH_KEY_TYPES = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const
export const MIN_RSA_BITS = 2048

/** Opens the files of the account's servers to whoever has the private part. */
export const SshKey = z.object({
  id: z.uuid(),
  name: z.string(),
  type: z.enum(SSH_KEY_TYPES),
  /** As `ssh-keygen -l` shows it. */
  fingerprint: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type SshKey = z.infer<typeof SshKey>

export const AddSshKey = z.strictObject({
  name: z.string().trim().min(1).max(64),
  /** One line, as in a file that ends in `.pub`. */
  publicKey: z.string().trim().min(1).max(4096),
})
export type AddSshKey = z.infer<typeof AddSshKey>

/** How the caller reaches the files of a server by SFTP. */
export const SftpAccess = z.object({
  /** Null: the host of the panel's own address. */
  host: z.string().nullable(),
  /** Null: this installation has SFTP switched off. */
  port: z.int().nullable(),
  userName: z.string(),
  /** False when the limits of the server's owner allow no SFTP, or the server is suspended. */
  allowed: z.boolean(),
  /** The caller's own password for this server. */
  password: z
    .object({ createdAt: z.iso.datetime(), lastUsedAt: z.iso.datetime().nullable() })
    .nullable(),
  /** How many SSH keys the caller's account has. */
  sshKeys: z.int(),
  /** Of the keys that the SSH server proves itself with. */
  hostKeys: z.array(z.object({ type: z.string(), fingerprint: z.string() })),
})
export type SftpAccess = z.infer<typeof SftpAccess>

export const SftpPassword = z.object({ userName: z.string(), password: z.string() })
export type SftpPassword = z.infer<typeof SftpPassword>
