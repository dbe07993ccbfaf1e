import { chmod, mkdir, stat } from 'node:fs/promises'

/** Others may traverse the folder but not list it. */
const PASSAGE = 0o011

/**
 * Creates the agent's folder, or reopens one that an earlier agent or a strict umask closed. The
 * users of servers, QEMU and the database traverse it to reach their own files; what belongs to the
 * agent alone is protected file by file.
 */
export async function openDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const { mode } = await stat(folder)
  if ((mode & PASSAGE) !== PASSAGE) await chmod(folder, (mode & 0o777) | PASSAGE)
}
