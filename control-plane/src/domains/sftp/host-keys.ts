import ssh2 from 'ssh2'
import type { Ctx } from '../../context.ts'
import { fingerprintOf } from './public-key.ts'
import * as store from './store.ts'

/** In the order in which clients are offered them. */
const TYPES = {
  'ssh-ed25519': () => ssh2.utils.generateKeyPairSync('ed25519'),
  'ecdsa-sha2-nistp256': () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }),
} as const

const placeOf = (type: string) => ({ table: 'ssh_host_keys', id: type, column: 'private_key' })

/**
 * The private keys of the SSH server, made by whichever instance is the first to need them. They never
 * change: a client that has seen others refuses to connect.
 */
export async function openHostKeys({ db, vault }: Pick<Ctx, 'db' | 'vault'>): Promise<string[]> {
  const known = new Set((await store.listHostKeys(db)).map(({ type }) => type))
  for (const [type, generate] of Object.entries(TYPES)) {
    if (known.has(type)) continue
    const pair = generate()
    const key = ssh2.utils.parseKey(pair.private)
    if (key instanceof Error) throw key
    await store.insertHostKey(db, {
      type,
      fingerprint: fingerprintOf(key.getPublicSSH()),
      privateKey: vault.seal(pair.private, placeOf(type)),
    })
  }
  const rows = await store.listHostKeys(db)
  return rows.map(({ type, privateKey }) => vault.open(privateKey, placeOf(type)))
}
