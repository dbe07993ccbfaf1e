import { HOST_KEY_TYPES, makeHostKey } from '@lodge/shared/local/ssh/keys.ts'
import type { Ctx } from '../../context.ts'
import * as store from './store.ts'

const placeOf = (type: string) => ({ table: 'ssh_host_keys', id: type, column: 'private_key' })

/**
 * The private keys of the SSH server, created by whichever instance needs them first. They never
 * change: a client that remembers others refuses to connect.
 */
export async function openHostKeys({ db, vault }: Pick<Ctx, 'db' | 'vault'>): Promise<string[]> {
  const known = new Set((await store.listHostKeys(db)).map(({ type }) => type))
  for (const type of HOST_KEY_TYPES) {
    if (known.has(type)) continue
    const { privateKey, fingerprint } = makeHostKey(type)
    const sealed = vault.seal(privateKey, placeOf(type))
    await store.insertHostKey(db, { type, fingerprint, privateKey: sealed })
  }
  const rows = await store.listHostKeys(db)
  return rows.map(({ type, privateKey }) => vault.open(privateKey, placeOf(type)))
}
