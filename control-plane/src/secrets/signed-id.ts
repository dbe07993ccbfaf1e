import { timingSafeEqual } from 'node:crypto'
import type { Vault } from './vault.ts'

type Signer = Pick<Vault, 'sign'>

/** An id that only this installation can have written, for links that never expire. */
export const signedId = (vault: Signer, purpose: string, id: string): string =>
  `${id}.${vault.sign(purpose, id).toString('base64url')}`

/** The id in a signed one; undefined if it was not signed here for this purpose. */
export function idIn(vault: Signer, purpose: string, token: string): string | undefined {
  const [id = '', signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const wanted = vault.sign(purpose, id)
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? id : undefined
}
