import { readFile, statfs } from 'node:fs/promises'
import os from 'node:os'

const memory = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

/** Where runs may have put their PostgreSQL. */
export const placesOfDatabase: readonly string[] = [memory, os.tmpdir()]

/**
 * Memory if there is plenty, else the disk: a fresh database is 750 files, and creating them on a
 * disk takes most of the CPU of a clone. A run holds some 200 MB.
 */
export async function placeWithRoom(): Promise<string> {
  const hasRoom = (await freeBytes()) >= neededBytes && process.availableMemory() >= 2 * neededBytes
  return hasRoom && (await mayRunPrograms()) ? memory : os.tmpdir()
}

async function freeBytes(): Promise<number> {
  return await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
}

/** The server's programs lie beside its data, and containers often forbid to run any there. */
async function mayRunPrograms(): Promise<boolean> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '')
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, target]) => target === memory)?.[3]
  return options !== undefined && !options.split(',').includes('noexec')
}
