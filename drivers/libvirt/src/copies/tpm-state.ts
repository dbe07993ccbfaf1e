import { chmod, chown, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '../data/files.ts'
import { tpmUser } from '../host/system-user.ts'
import type { Parts } from '../parts.ts'

/** The folder in which libvirt keeps the state of a TPM 2.0. */
const TPM_VERSION_FOLDER = 'tpm2'

/** The folder of the machine's TPM state. */
export function tpmStateFolder(parts: Pick<Parts, 'settings'>, uuid: string): string {
  return join(parts.settings.tpmFolder, uuid, TPM_VERSION_FOLDER)
}

/** Recreates the folder of a TPM's state, empty. */
export async function emptyTpm(folder: string): Promise<void> {
  const { uid, gid } = await tpmUser()
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, '..'), { recursive: true, mode: 0o711 })
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, uid, gid)
}

/** Moves a file of a TPM's state, possibly across file systems, to where swtpm can read it. */
export async function adopt(from: string, to: string): Promise<void> {
  const { uid, gid } = await tpmUser()
  await writeWhole(to, await readFile(from))
  await chmod(to, 0o600)
  await chown(to, uid, gid)
}
