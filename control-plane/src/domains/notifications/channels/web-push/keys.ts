import { generateKeyPairSync } from 'node:crypto'
import type { Ctx } from '../../../../context.ts'
import { findPushKey, insertPushKey } from '../store.ts'
import { type Vapid, vapidOf } from './vapid.ts'

const ID = 'vapid'
const PLACE = { table: 'web_push_keys', id: ID, column: 'private_key' }

/**
 * The key pair of this installation, created by whichever instance needs it first. It never changes:
 * a subscription is bound to the key that it was made with.
 */
export async function openVapid({ db, vault }: Pick<Ctx, 'db' | 'vault'>): Promise<Vapid> {
  let sealed = await findPushKey(db, ID)
  if (!sealed) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = JSON.stringify(privateKey.export({ format: 'jwk' }))
    await insertPushKey(db, ID, vault.seal(jwk, PLACE))
    sealed = await findPushKey(db, ID)
  }
  if (!sealed) throw new Error('the key of push messages vanished')
  return vapidOf(JSON.parse(vault.open(sealed, PLACE)))
}
