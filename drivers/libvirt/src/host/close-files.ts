import { chmod, chown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { MachinePaths } from '../data/layout.ts'
import { qemuUser, type SystemUser } from './system-user.ts'

const OWNER_ONLY = 0o600

/**
 * Gives a machine's disks, firmware variables and seed to QEMU's user and makes them private,
 * whoever created them. Leaves files alone that already are.
 */
export async function closeFiles(paths: MachinePaths): Promise<void> {
  const user = await qemuUser()
  const disks = await readdir(paths.disks).catch((): string[] => [])
  const files = [...disks.map((name) => join(paths.disks, name)), paths.firmware, paths.seed]
  await Promise.all(files.map((file) => closeFile(file, user)))
}

async function closeFile(file: string, { uid, gid }: SystemUser): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) return
  if ((found.mode & 0o777) !== OWNER_ONLY) await chmod(file, OWNER_ONLY)
  if (found.uid !== uid || found.gid !== gid) await chown(file, uid, gid)
}
