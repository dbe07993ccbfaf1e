import type { ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** A storage that takes longer for the next bytes will not send them. */
const STALLED_MS = 10 * 60_000
/** Less than this in that time is what a program does while it waits. */
const LEAST_BYTES = 64 * 1024
const LOOKS = 40

/**
 * Calls once when a program, with those that it started, has read and written next to nothing for
 * ten minutes: neither files nor connections. What it says on its output is no progress.
 */
export function watchProgress(
  child: ChildProcess,
  onStalled: () => void,
  stalledMs = STALLED_MS,
): void {
  let saidBytes = 0
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (text: string | Buffer) => {
      saidBytes += Buffer.byteLength(text)
    })
  let from = 0
  let sinceMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    // Without the right to look, nothing is known.
    const moved = child.pid === undefined ? null : await bytesMovedBy(child.pid).catch(() => null)
    if (moved === null || Math.abs(moved - saidBytes - from) >= LEAST_BYTES) {
      from = (moved ?? 0) - saidBytes
      sinceMs = performance.now()
    } else if (performance.now() - sinceMs >= stalledMs) return onStalled()
    timer?.refresh()
  }
  timer = setTimeout(() => void look(), stalledMs / LOOKS).unref()
  child.once('close', () => {
    clearTimeout(timer)
    timer = undefined
  })
}

async function bytesMovedBy(pid: number): Promise<number> {
  const io = await readFile(`/proc/${pid}/io`, 'utf8')
  const [, read = '', written = ''] = /^rchar: (\d+)\nwchar: (\d+)$/m.exec(io) ?? []
  const threads = await readdir(`/proc/${pid}/task`)
  const children = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8')),
  )
  const own = children.flatMap((text) => text.split(' ').filter(Boolean).map(Number))
  const theirs = await Promise.all(own.map(bytesMovedBy))
  return theirs.reduce((sum, bytes) => sum + bytes, Number(read) + Number(written))
}
