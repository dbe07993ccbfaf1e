import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unlessGone } from '@lodge/shared/local/files.ts'
import { z } from 'zod'
import { openDataFolder } from '../data-folder.ts'

/** This node's identity, received at enrollment. */
export const Identity = z.object({
  nodeId: z.string().min(1),
  credential: z.string().min(1),
  /** PEM of the authority that must have signed every connection's certificate. */
  caCertificate: z.string().includes('BEGIN CERTIFICATE'),
  /** `host:port`. */
  fleetAddress: z.string().regex(/^.+:\d{1,5}$/),
  /** The name in the control plane's certificate, whatever its address. */
  serverName: z.string().min(1),
})
export type Identity = z.infer<typeof Identity>

/** Path of the identity file, which exists while this host is a node. */
export const identityFile = (dataFolder: string) => join(dataFolder, 'node.json')

/** @returns undefined when this machine has not joined */
export async function loadIdentity(dataFolder: string): Promise<Identity | undefined> {
  const text = await readFile(identityFile(dataFolder), 'utf8').catch(unlessGone)
  if (text === undefined) return undefined
  const parsed = Identity.safeParse(JSON.parse(text))
  if (!parsed.success)
    throw new Error(`${identityFile(dataFolder)} is damaged: join this node again`)
  return parsed.data
}

/**
 * Replaces the identity atomically, readable only by this account. Synced, because the one-time
 * token that obtained it cannot be used again.
 */
export async function saveIdentity(dataFolder: string, identity: Identity): Promise<void> {
  const target = identityFile(dataFolder)
  await openDataFolder(dataFolder)
  const temporary = `${target}.${process.pid}.new`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(identity, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, target)
  const folder = await open(dirname(target), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
