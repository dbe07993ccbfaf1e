import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { openDataFolder } from '../data-folder.ts'

/** Who this node is, as the control plane told it when it joined. */
export const Identity = z.object({
  nodeId: z.string().min(1),
  credential: z.string().min(1),
  /** PEM of the authority that every connection must be signed by. */
  caCertificate: z.string().includes('BEGIN CERTIFICATE'),
  /** `host:port`. */
  fleetAddress: z.string().regex(/^.+:\d{1,5}$/),
  /** Name that the certificate of the other side carries, whatever its address is. */
  serverName: z.string().min(1),
})
export type Identity = z.infer<typeof Identity>

/** It is there for as long as the machine is a node. */
export const identityFile = (dataFolder: string) => join(dataFolder, 'node.json')

/** @returns undefined when this machine has not joined */
export async function loadIdentity(dataFolder: string): Promise<Identity | undefined> {
  let text: string
  try {
    text = await readFile(identityFile(dataFolder), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const parsed = Identity.safeParse(JSON.parse(text))
  if (!parsed.success)
    throw new Error(`${identityFile(dataFolder)} is damaged: join this node again`)
  return parsed.data
}

/** Replaces what was known before, in one step, readable by this account only. */
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
