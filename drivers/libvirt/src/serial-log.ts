import { open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'

/**
 * What a guest prints on its serial line is recorded on the host's side of the line, also while no agent
 * is connected: by QEMU into one file, or by libvirt's virtlogd, which begins a new file at 2 MiB and
 * keeps three older ones (`max_size`, `max_backups` of virtlogd.conf).
 */

/** So much of the newest output is read. */
const READ_BYTES = 1024 * 1024
/** A file that grew beyond this is looked after by nobody else. */
const UNTENDED_BYTES = 4 * 1024 * 1024
const OLDER = ['.0', '.1', '.2']

/** The files of a log, newest first; most of the time there is only the first. */
export function serialLogFiles(path: string): readonly string[] {
  return [path, ...OLDER.map((ending) => path + ending)]
}

/** Forgets the output of the run before. */
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

/** Takes away what is old in a log that nobody else keeps small. What is being written may get lost. */
export async function trimSerialLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size <= UNTENDED_BYTES) return
  const [older] = OLDER
  await writeFile(`${path}.new`, await lastBytes(path, READ_BYTES), { mode: 0o600 })
  await rename(`${path}.new`, `${path}${older}`)
  // Whoever writes it appends: it goes on at the new end.
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
