import { chmod, mkdir, stat } from 'node:fs/promises'

/** Others may pass through, and not look around. */
const PASSAGE = 0o011

/**
 * Makes the agent's folder, or opens one that an earlier agent or a strict umask closed. The users of
 * servers, of QEMU and of the database pass through it to files of their own; what is the agent's alone is
 * closed file by file.
 */
export async function openDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const { mode } = await stat(folder)
  if ((mode & PASSAGE) !== PASSAGE) await chmod(folder, (mode & 0o777) | PASSAGE)
}
