import { readFile } from 'node:fs/promises'

const SYS_RESOURCE = 24n

/**
 * The highest open-files limit that a container can be given. Where root lacks CAP_SYS_RESOURCE
 * (agent and engine inside a restricted machine), this process's own limit applies.
 */
export async function mostOpenFiles(): Promise<number> {
  const [status, limits, kernel] = await Promise.all([
    readFile('/proc/self/status', 'utf8').catch(() => ''),
    readFile('/proc/self/limits', 'utf8').catch(() => ''),
    readFile('/proc/sys/fs/nr_open', 'utf8').catch(() => ''),
  ])
  const most = Number(kernel.trim()) || 1_048_576
  const capabilities = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? 'ffffffff'}`)
  if ((capabilities >> SYS_RESOURCE) & 1n) return most
  const hard = Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1])
  return Number.isInteger(hard) ? Math.min(hard, most) : most
}
