import { type FileHandle, open, rename } from 'node:fs/promises'
import { lastLines } from './frames.ts'

const FILE_LIMIT = 4 * 1024 * 1024
const LINE_LIMIT = 16 * 1024

/** Records an installer's output line by line, with secrets masked. */
export interface InstallLog {
  write(chunk: Uint8Array): void
  /** Adds complete lines. */
  add(lines: readonly string[]): void
  close(): Promise<void>
}

/**
 * Appends to the log. Opens the file with the first line, and not before `ready`. Masks the values
 * of `secrets` before anything is stored or passed to `onLines`. Of a very long log the newest 4 to
 * 8 MiB are kept.
 */
export function openInstallLog(
  path: string,
  secrets: readonly string[],
  onLines: (lines: readonly string[]) => void,
  ready: Promise<unknown> = Promise.resolve(),
): InstallLog {
  const hide = secretMask(secrets)
  const decoder = new TextDecoder()
  let rest = ''
  let waiting: string[] = []
  let writing: Promise<void> | null = null
  let file: Promise<FileHandle> | null = null
  let bytes = 0

  /** Writes pending text in order, and rotates a full file. */
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

  // An unwritable log must not fail the installation.
  function startWriting(): void {
    writing ??= writeOut()
      .catch(() => {
        waiting = []
      })
      .finally(() => {
        writing = null
        if (waiting.length > 0) startWriting()
      })
  }

  function keep(lines: readonly string[]): void {
    if (lines.length === 0) return
    waiting.push(`${lines.join('\n')}\n`)
    startWriting()
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

/** The newest lines of an installer's log; empty when there is none. */
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

/** Short values are not masked: masking every `1` would make the log unreadable. */
function secretMask(secrets: readonly string[]): (line: string) => string {
  const lines = secrets.flatMap((secret) => secret.split(/\r\n|\n|\r/))
  const values = [...new Set(lines)]
    .filter((value) => value.length >= 4)
    .sort((a, b) => b.length - a.length)
  return (line) => values.reduce((text, value) => text.replaceAll(value, '***'), line)
}
