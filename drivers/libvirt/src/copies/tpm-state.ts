import {
  chmod,
  chown,
  lchown,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeWhole } from '../data/files.ts'
import type { MachinePaths } from '../data/layout.ts'
import { tpmUser } from '../host/system-user.ts'
import type { Parts } from '../parts.ts'

/** The folder in which libvirt keeps the state of a TPM 2.0. */
const TPM_VERSION_FOLDER = 'tpm2'

type Settled = Pick<Parts, 'settings'>

/** Where libvirt looks for the state of a machine's TPM. */
const ofLibvirt = ({ settings }: Settled, uuid: string) => join(settings.tpmFolder, uuid)

/** The folder of the machine's TPM state. */
export function tpmStateFolder(parts: Settled, paths: MachinePaths, uuid: string): string {
  return join(paths.storage ? paths.tpm : ofLibvirt(parts, uuid), TPM_VERSION_FOLDER)
}

/** The state of a TPM in a copy of a machine, which is that on a shared storage. */
export const keptTpm = ({ tpm }: Pick<MachinePaths, 'tpm'>): string => join(tpm, TPM_VERSION_FOLDER)

/** Copies the state of a TPM from where libvirt has it to beside the disks on the node's own disk. */
export async function keepTpm(parts: Settled, paths: MachinePaths, uuid: string): Promise<void> {
  const state = tpmStateFolder(parts, paths, uuid)
  const names = await readdir(state).catch(() => null)
  if (names === null) return
  const kept = keptTpm(paths)
  await rm(kept, { recursive: true, force: true })
  await mkdir(kept, { recursive: true, mode: 0o700 })
  for (const name of names.filter((one) => !one.startsWith('.')))
    await writeWhole(join(kept, name), await readFile(join(state, name)))
}

/**
 * Has libvirt find the state of a TPM on a shared storage, which belongs to the user of this node's
 * TPMs from then on. Called before each boot: without the link, the guest would get a new TPM.
 */
export async function linkTpm(parts: Settled, paths: MachinePaths, uuid: string): Promise<void> {
  if (paths.storage === null) return
  const state = tpmStateFolder(parts, paths, uuid)
  await mkdir(paths.tpm, { recursive: true, mode: 0o711 })
  await mkdir(state, { recursive: true, mode: 0o700 })
  const { uid, gid } = await tpmUser()
  await chown(state, uid, gid)
  for (const name of await readdir(state)) await lchown(join(state, name), uid, gid)
  const link = ofLibvirt(parts, uuid)
  if ((await readlink(link).catch(() => null)) === paths.tpm) return
  await mkdir(dirname(link), { recursive: true, mode: 0o711 })
  await rm(link, { recursive: true, force: true })
  await symlink(paths.tpm, link)
}

/** Puts the state that `keepTpm` or a copy has left beside the disks to where libvirt looks for it. */
export async function bringTpm(parts: Settled, paths: MachinePaths, uuid: string): Promise<void> {
  const link = ofLibvirt(parts, uuid)
  if ((await readlink(link).catch(() => null)) !== null) await removeTpm(parts, uuid)
  const names = await readdir(keptTpm(paths)).catch((): string[] => [])
  // libvirt makes a new one only where there is no folder.
  if (names.length === 0) return
  const state = tpmStateFolder(parts, paths, uuid)
  await emptyTpm(state)
  for (const name of names) await adopt(join(keptTpm(paths), name), join(state, name))
}

/** Removes the state of a TPM from this node: what lies on a shared storage stays there. */
export function removeTpm(parts: Settled, uuid: string): Promise<void> {
  // Of a link, only the link.
  return rm(ofLibvirt(parts, uuid), { recursive: true, force: true })
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
