import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The kernel's accounting files of one container. */
export interface CgroupFiles {
  readonly version: 1 | 2
  readonly memory: string
  readonly cpu: string
}

const ROOT = '/sys/fs/cgroup'

/**
 * Locates the files through the container's main process. Null when they are not visible from here.
 */
export async function cgroupOf(pid: number): Promise<CgroupFiles | null> {
  const text = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
  const paths = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    for (const controller of controllers.split(',')) paths.set(controller, path)
  }
  const memory = paths.get('memory')
  const cpu = paths.get('cpuacct')
  if (memory && cpu) {
    return { version: 1, memory: join(ROOT, 'memory', memory), cpu: join(ROOT, 'cpuacct', cpu) }
  }
  const unified = paths.get('')
  return unified ? { version: 2, memory: join(ROOT, unified), cpu: join(ROOT, unified) } : null
}

/** Memory use without the page cache that the kernel would reclaim first. */
export async function memoryBytes(files: CgroupFiles): Promise<number> {
  const [usage, stat] = await Promise.all([
    readFile(
      join(files.memory, files.version === 1 ? 'memory.usage_in_bytes' : 'memory.current'),
      'utf8',
    ),
    readFile(join(files.memory, 'memory.stat'), 'utf8'),
  ])
  const field = files.version === 1 ? 'total_inactive_file' : 'inactive_file'
  return Math.max(0, Number(usage) - numberOf(stat, field))
}

/** CPU time used so far, in microseconds. */
export async function cpuMicroseconds(files: CgroupFiles): Promise<number> {
  if (files.version === 1)
    return Number(await readFile(join(files.cpu, 'cpuacct.usage'), 'utf8')) / 1000
  return numberOf(await readFile(join(files.cpu, 'cpu.stat'), 'utf8'), 'usage_usec')
}

/** Bytes over all interfaces of the process's network namespace except loopback. */
export async function networkBytes(pid: number): Promise<{ received: number; sent: number }> {
  let received = 0
  let sent = 0
  for (const line of (await readFile(`/proc/${pid}/net/dev`, 'utf8')).split('\n').slice(2)) {
    const [name = '', ...figures] = line.trim().split(/[\s:]+/)
    if (name === '' || name === 'lo') continue
    received += Number(figures[0] ?? 0)
    sent += Number(figures[8] ?? 0)
  }
  return { received, sent }
}

function numberOf(text: string, field: string): number {
  return Number(new RegExp(`^${field} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}
