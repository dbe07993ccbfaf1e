import { rename, rm, statfs, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Ctx } from '../../context.ts'
import { ownAddress } from '../../own-address.ts'
import { createEnrollment } from './enrollment.ts'
import { createNode } from './nodes.ts'
import { findLocalNode } from './store.ts'

const MIB = 1024 * 1024

/**
 * Adds this machine as a node of its own installation and writes its agent's join token to
 * `local-node.join`, until an agent has used it.
 * @param fleetAddress host:port at which this machine's agent reaches us
 */
export async function prepareLocalNode(
  ctx: Ctx,
  dataFolder: string,
  fleetAddress: string,
): Promise<void> {
  const file = path.join(dataFolder, 'local-node.join')
  const present = await findLocalNode(ctx.db)
  if (present?.credentialHash) return rm(file, { force: true })
  const node =
    present ??
    (await createNode(
      ctx,
      { name: 'local', location: 'here', address: ownAddress(), ...(await ownSize(dataFolder)) },
      true,
    ))
  const { token } = await createEnrollment(ctx, node, fleetAddress)
  await writeFile(`${file}.new`, token, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Most of the machine; the panel, its database and the system keep a share. */
async function ownSize(folder: string) {
  const disk = await statfs(folder)
  return {
    memoryMb: Math.max(64, Math.floor((os.totalmem() / MIB) * 0.8)),
    cpuPercent: os.cpus().length * 100,
    diskMb: Math.max(64, Math.floor(((disk.bavail * disk.bsize) / MIB) * 0.8)),
  }
}
