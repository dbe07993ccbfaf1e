import { type FileHandle, open, rename } from 'node:fs/promises'
import { lastLines } from './frames.ts'

const FILE_LIMIT = 4 * 1024 * 1024
const LINE_LIMIT = 16 * 1024

/** Keeps what an installer printed, line by line and without secret values. */
export interface InstallLog {
  write(chunk: Uint8Array): void
  /** Whole lines. */
  add(lines: readonly string[]): void
  close(): Promise<void>
}

/**
 * Goes on with the log; its file is opened with the first line and not before `ready`. Values of `secrets` are replaced before anything is kept or handed to `onLines`;
 * of a very long log the newest 4 to 8 MiB stay.
 */
export function openInstallLog(
  path: string,
  secrets: readonly string[],
  onLines: (lines: readonly string[]) => void,
  ready: Promise<unknown> = Promise.resolve(),
): InstallLog {
  const hide = hiding(secrets)
  const decoder = new TextDecoder()
  let rest = ''
  let waiting: string[] = []
  let writing: Promise<void> | null = null
  let file: Promise<FileHandle> | null = null
  let bytes = 0

  /** Writes what waits, one piece after the other, and moves a full file aside. */
  async function writeOut(): Promise<void> {
    while (waiting.length > 0) {
      file ??= ready.then(() => open(path, 'a', 0o600))
      const opened = await file
      const text = waiting.join('')
      waiting = []
      const { bytesWritten } = await opened.write(text)
      bytes += bytesWritten
      if (bytes < FILE_LIMIT) continue
      await opened.close()
      await rename(path, `${path}.old`)
      file = null
      bytes = 0
    }
  }

  // A log that cannot be written is no reason to fail an installation.
  function kick(): void {
    writing ??= writeOut()
      .catch(() => {
        waiting = []
      })
      .finally(() => {
        writing = null
        if (waiting.length > 0) kick()
      })
  }

  function keep(lines: readonly string[]): void {
    if (lines.length === 0) return
    waiting.push(`${lines.join('\n')}\n`)
    kick()
    onLines(lines)
  }

  return {
    write(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      if (rest.length > LINE_LIMIT) {
        lines.push(rest)
        rest = ''
      }
      keep(lines.map(hide))
    },
    add: (lines) => keep(lines.map(hide)),
    async close() {
      if (rest !== '') keep([hide(rest)])
      rest = ''
      while (writing !== null) await writing
      await file?.then((opened) => opened.close()).catch(() => {})
    },
  }
}

/** The newest lines of an installer's log; none when there was none. */
export async function readInstallLog(path: string, count: number): Promise<readonly string[]> {
  const text = (await endOf(`${path}.old`)) + (await endOf(path))
  return lastLines(text, count)
}

async function endOf(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return ''
  try {
    const { size } = await file.stat()
    const length = Math.min(size, FILE_LIMIT)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.subarray(0, bytesRead).toString('utf8')
  } finally {
    await file.close()
  }
}

/** Very short values are left: hiding every `1` would hide the log. */
function hiding(secrets: readonly string[]): (line: string) => string {
  const lines = secrets.flatMap((secret) => secret.split(/\r\n|\n|\r/))
  const values = [...new Set(lines)]
    .filter((value) => value.length >= 4)
    .sort((a, b) => b.length - a.length)
  return (line) => values.reduce((text, value) => text.replaceAll(value, '***'), line)
}
