import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Ctx } from '../../context.ts'
import { ownAddress } from '../../own-address.ts'
import { createEnrollment } from './enrollment.ts'
import { createNode } from './nodes.ts'
import { findLocalNode } from './store.ts'

const DETECTED = { memoryMb: null, cpuPercent: null, diskMb: null }

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
      { name: 'local', location: 'here', address: ownAddress(), ...DETECTED },
      true,
    ))
  const { token } = await createEnrollment(ctx, node, fleetAddress)
  await writeFile(`${file}.new`, token, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
