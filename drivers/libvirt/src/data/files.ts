import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Returns once the content of a file or folder survives a power cut. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}

/**
 * Atomically moves a finished file or folder into place; after a power cut there is the old or the
 * new one.
 */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  await syncPath(from)
  await rename(from, to)
  await syncPath(dirname(to))
}

/** Writes a file completely or not at all. */
export async function writeWhole(path: string, content: string | Uint8Array, mode = 0o600) {
  await mkdir(dirname(path), { recursive: true, mode: 0o711 })
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  const file = await open(fresh, 'w', mode)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
  await moveIntoPlace(fresh, path)
}
