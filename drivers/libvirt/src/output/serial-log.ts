import { open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'

/**
 * The output of a guest's serial console is logged on the host even while no agent is connected: by
 * QEMU into one file, or by libvirt's virtlogd, which rotates at 2 MiB and keeps three older files
 * (`max_size`, `max_backups` in virtlogd.conf).
 */

/** How much of the newest output is read. */
const READ_BYTES = 1024 * 1024
/** A file larger than this is not rotated by anything else. */
const UNTENDED_BYTES = 4 * 1024 * 1024
const OLDER = ['.0', '.1', '.2']

/** The files of a log, newest first; usually only the first exists. */
export function serialLogFiles(path: string): readonly string[] {
  return [path, ...OLDER.map((ending) => path + ending)]
}

/** Deletes the output of the previous run. */
export async function removeSerialLog(path: string): Promise<void> {
  for (const file of serialLogFiles(path)) await rm(file, { force: true })
}

/** The newest output, at most 1 MiB; empty when there is none. */
export async function newestOutput(path: string): Promise<string> {
  const pieces: Buffer[] = []
  let left = READ_BYTES
  for (const file of serialLogFiles(path)) {
    const piece = await lastBytes(file, left)
    pieces.unshift(piece)
    left -= piece.length
    if (left <= 0) break
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** Truncates a log that nothing else rotates. Output written at the same moment may be lost. */
export async function trimSerialLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size <= UNTENDED_BYTES) return
  const [older] = OLDER
  await writeFile(`${path}.new`, await lastBytes(path, READ_BYTES), { mode: 0o600 })
  await rename(`${path}.new`, `${path}${older}`)
  // The writer appends, so it continues at the new end.
  await truncate(path, 0)
}

async function lastBytes(path: string, most: number): Promise<Buffer> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return Buffer.alloc(0)
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, most))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
