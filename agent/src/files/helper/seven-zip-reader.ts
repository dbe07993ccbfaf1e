import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { FileRefusal } from '../refusal.ts'
import { CONVERTER, LIMITER, LOCALE } from '../seven-zip.ts'
import { type ArchiveEntry, invalid } from './archive-entry.ts'
import { readTar } from './tar-reader.ts'

/** The dictionary of an archive may be larger than the memory of the node. */
const MOST_MEMORY_BYTES = 1024 ** 3

/**
 * The entries of a 7z archive. libarchive's bsdtar converts it to tar, in a process that has no more
 * rights than this one: every entry is judged and written here, as those of any other tar archive.
 */
export async function* readSevenZip(
  fd: number,
  size: number,
  progress: (part: number) => void,
): AsyncGenerator<ArchiveEntry> {
  if (![CONVERTER, LIMITER].every((program) => existsSync(program)))
    throw new FileRefusal(
      'invalid_archive',
      'This node cannot unpack 7z archives until its operator installs libarchive-tools there. Zip, tar, tar.gz and tar.zst work.',
    )
  const converter = spawn(
    LIMITER,
    [
      ...[`--as=${MOST_MEMORY_BYTES}`, '--core=0', '--', CONVERTER],
      ...['--create', '--format', 'pax', '--file', '-', '@-'],
    ],
    { stdio: [fd, 'pipe', 'ignore'], env: { LC_ALL: LOCALE.name }, cwd: '/' },
  )
  const { stdout } = converter
  if (!stdout) throw new Error('the converter has no output')
  const ended = once(converter, 'close')
  ended.catch(() => {})
  try {
    for await (const entry of readTar(stdout, 'tar')) {
      yield entry
      progress(positionOf(fd) / size)
    }
    const [code] = await ended
    // What arrived before the fault looks like a complete archive.
    if (code !== 0) throw unreadable()
  } catch (error) {
    if (error instanceof FileRefusal && error.cause === undefined) throw error
    throw unreadable(error)
  } finally {
    converter.kill('SIGKILL')
  }
}

const unreadable = (cause?: unknown) =>
  invalid('it is damaged, encrypted, or packed in a way that this node cannot read', cause)

/** How far the converter has read: it shares the position of the open file. */
function positionOf(fd: number): number {
  return Number(/^pos:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? 0)
}
