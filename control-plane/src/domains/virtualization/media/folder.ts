import { link, mkdir, open, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '@lodge/shared/error-code.ts'
import type { Services } from '../../../services.ts'
import { arrivingMedia, keptBytes } from '../store.ts'

/** Disk space kept free for everything else. */
const SPARE_BYTES = 1024 ** 3

type Where = Pick<Services, 'media'>

/** The file of a medium kept by the control plane. */
export const keptFile = ({ media }: Where, sha256: string): string =>
  path.join(media.folder, sha256)

export const arrivingFolder = ({ media }: Where): string => path.join(media.folder, 'arriving')

/** A file still arriving or not yet verified. */
export const arrivingFile = (where: Where, mediumId: string): string =>
  path.join(arrivingFolder(where), mediumId)

export async function makeFolders(where: Where): Promise<void> {
  await mkdir(arrivingFolder(where), { recursive: true, mode: 0o700 })
}

/** Size of a file in bytes; null if there is none. */
export const sizeOf = async (file: string): Promise<number | null> =>
  (await stat(file).catch(() => null))?.size ?? null

/**
 * Moves a verified file to its place. It also keeps its first name, so this can be repeated after a
 * crash.
 */
export async function keepFile(where: Where, mediumId: string, sha256: string): Promise<void> {
  const file = await open(arrivingFile(where, mediumId), 'r')
  await file.sync().finally(() => file.close())
  await link(arrivingFile(where, mediumId), keptFile(where, sha256)).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
}

export const dropArriving = (where: Where, mediumId: string): Promise<void> =>
  rm(arrivingFile(where, mediumId), { force: true })

export const dropKept = (where: Where, sha256: string): Promise<void> =>
  rm(keptFile(where, sha256), { force: true })

/**
 * Bytes still available for media: within the operator's limit and the disk. Of one that is arriving
 * its whole size counts, or what has arrived while nobody knows that.
 * @param own a medium that is arriving, of which only what has arrived counts
 */
export async function roomForMedia(
  services: Pick<Services, 'db' | 'media'>,
  own?: string,
): Promise<number> {
  await makeFolders(services)
  const { folder, limitBytes } = services.media
  let [taken, promised] = [await keptBytes(services.db), 0]
  for (const { id, sizeBytes } of await arrivingMedia(services.db)) {
    const arrived = (await sizeOf(arrivingFile(services, id))) ?? 0
    const whole = id === own ? arrived : Math.max(sizeBytes ?? 0, arrived)
    taken += whole
    promised += whole - arrived
  }
  const { bavail, bsize } = await statfs(folder)
  return Math.max(0, Math.min(limitBytes - taken, bavail * bsize - promised - SPARE_BYTES))
}
