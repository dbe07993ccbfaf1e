import { createHash, randomBytes } from 'node:crypto'
import { fingerprintOf } from '@lodge/shared/local/ssh/keys.ts'
import { readSftpUserName, shortServerId } from '@lodge/shared/sftp.ts'
import type { Services } from '../../services.ts'
import { type Admitted, admit } from './admission.ts'
import * as store from './store.ts'

/** The credential that somebody has signed in with. */
export interface Credential {
  readonly kind: store.CredentialKind
  readonly id: string
  /** The line of the public key; empty for a password. */
  readonly line: string
}

export interface Known {
  readonly credential: Credential
  readonly admitted: Admitted
}

export const wayOf = ({ credential, admitted: { user, server } }: Known): store.Way => ({
  ...{ userId: user.id, serverId: server.id, credential },
})

/** 144 bits cannot be guessed, so an unsalted hash suffices and can be looked up. */
export const newPassword = (): string => randomBytes(18).toString('base64url')
const FORM = /^[\w-]{24}$/

export const hashOf = (password: string): Buffer => createHash('sha256').update(password).digest()

export async function knownByPassword(
  services: Services,
  given: { userName: string; password: string; address: string },
): Promise<Known | undefined> {
  const name = readSftpUserName(given.userName)
  if (!name || !FORM.test(given.password)) return undefined
  const found = await store.findPasswordByHash(services.db, hashOf(given.password))
  if (!found || !name.isOf(found.email)) return undefined
  const { id, userId, serverId } = found.password
  if (shortServerId(serverId) !== name.serverDigits) return undefined
  const admitted = await admit(services, { userId, serverId, address: given.address })
  return admitted && { credential: { kind: 'password', id, line: '' }, admitted }
}

/** @param blob the public key that the client offers; nothing is proven yet */
export async function knownByKey(
  services: Services,
  given: { userName: string; blob: Buffer; address: string },
): Promise<Known | undefined> {
  const name = readSftpUserName(given.userName)
  if (!name) return undefined
  const keys = await store.findKeys(services.db, fingerprintOf(given.blob))
  const [found] = keys.filter(({ email }) => name.isOf(email))
  if (!found) return undefined
  const { id, userId, publicKey: line } = found.key
  for (const serverId of await store.serversByDigits(services.db, name.serverDigits)) {
    const admitted = await admit(services, { userId, serverId, address: given.address })
    if (admitted) return { credential: { kind: 'key', id, line }, admitted }
  }
  return undefined
}
