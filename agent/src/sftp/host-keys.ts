import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessGone } from '@lodge/shared/local/files.ts'
import { HOST_KEY_TYPES, hostKeyFingerprint, makeHostKey } from '@lodge/shared/local/ssh/keys.ts'

export interface HostKey {
  readonly type: string
  readonly privateKey: string
  readonly fingerprint: string
}

/**
 * The keys that this node proves itself with, made when they are first needed. They never change: a
 * client that has seen others refuses to connect.
 */
export async function hostKeysIn(folder: string): Promise<HostKey[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  return await Promise.all(HOST_KEY_TYPES.map((type) => hostKeyIn(folder, type)))
}

async function hostKeyIn(folder: string, type: (typeof HOST_KEY_TYPES)[number]): Promise<HostKey> {
  const file = join(folder, `${type}.key`)
  const kept = await readFile(file, 'utf8').catch(unlessGone)
  if (kept !== undefined) return { type, privateKey: kept, fingerprint: hostKeyFingerprint(kept) }
  const made = makeHostKey(type)
  // Whole or not at all: half a key would be another one after the next start.
  await writeFile(`${file}.new`, made.privateKey, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return { type, ...made }
}
