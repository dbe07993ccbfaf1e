import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Whether something is mounted at the folder. */
export async function isMountPoint(folder: string): Promise<boolean> {
  const [own, parent] = await Promise.all([lstat(folder), lstat(dirname(folder))]).catch(() => [
    null,
    null,
  ])
  return own !== null && parent !== null && own.dev !== parent.dev
}

/**
 * Whether the Docker engine sees mounts made by this process, that is, runs in the same mount
 * namespace. An agent inside a container cannot mount disks for an engine outside.
 */
export async function engineSharesMounts(): Promise<boolean> {
  const own = await readlink('/proc/self/ns/mnt').catch(() => null)
  if (own === null) return false
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
    if (name.trim() !== 'dockerd') continue
    if ((await readlink(`/proc/${pid}/ns/mnt`).catch(() => '')) === own) return true
  }
  return false
}
