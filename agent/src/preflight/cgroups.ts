import { readFile } from 'node:fs/promises'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'

const NEEDED = ['memory', 'cpu', 'pids'] as const

/** Checks whether memory, CPU time and the number of processes can be limited. */
export async function checkCgroups(): Promise<PreflightCheck> {
  const unified = await readFile('/sys/fs/cgroup/cgroup.controllers', 'utf8').catch(() => undefined)
  const controllers = unified === undefined ? await firstVersion() : unified.trim().split(/\s+/)
  const version = unified === undefined ? 1 : 2
  const missing = NEEDED.filter((name) => !controllers.includes(name))
  if (missing.length > 0) {
    return {
      id: 'cgroups',
      state: 'failed',
      summary: `The kernel does not limit ${missing.join(', ')} here`,
      remedy: 'Boot with cgroup_enable=memory, or on a kernel with control groups version 2',
    }
  }
  if (version === 1) {
    return {
      id: 'cgroups',
      state: 'warning',
      summary: 'Control groups version 1: limits work, but the kernel no longer develops it',
      remedy: 'Boot with systemd.unified_cgroup_hierarchy=1 to use version 2',
    }
  }
  return { id: 'cgroups', state: 'ok', summary: 'Control groups version 2', remedy: null }
}

async function firstVersion(): Promise<string[]> {
  const text = await readFile('/proc/cgroups', 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'))
    .filter(([, , , enabled]) => enabled === '1')
    .map(([name]) => name ?? '')
}
