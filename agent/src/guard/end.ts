import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Found } from './processes.ts'

/** Where the hierarchies that can end or freeze a whole cgroup are mounted. */
interface Hierarchies {
  /** Version 2. */
  readonly unified: string | undefined
  /** Of version 1. */
  readonly freezer: string | undefined
}

/**
 * Ends everything of a server. Its cgroups first: the kernel then ends all of a group at once, even
 * a program that starts others faster than they can be ended one by one. Call it again until
 * nothing is found any more.
 */
export function endProcesses({ pids, cgroups }: Found): void {
  const { unified, freezer } = hierarchies()
  const frozen: string[] = []
  for (const [hierarchy, paths] of cgroups) {
    for (const path of paths) {
      if (hierarchy === '' && unified !== undefined) endGroup(join(unified, path))
      if (hierarchy === 'freezer' && freezer !== undefined) frozen.push(join(freezer, path))
    }
  }
  for (const folder of frozen) write(join(folder, 'freezer.state'), 'FROZEN')
  const inGroups = frozen.flatMap((folder) => pidsBelow(folder))
  for (const pid of new Set([...pids, ...inGroups])) end(pid)
  // Frozen processes die when they are thawed; this includes those of a paused container.
  for (const folder of frozen) write(join(folder, 'freezer.state'), 'THAWED')
}

/** Linux 5.14 ends the whole group; before that it is frozen, and its processes die frozen. */
function endGroup(folder: string): void {
  if (existsSync(join(folder, 'cgroup.kill'))) {
    write(join(folder, 'cgroup.kill'), '1')
    return
  }
  write(join(folder, 'cgroup.freeze'), '1')
  for (const pid of pidsBelow(folder)) end(pid)
}

/** The processes of a group and of those in it. */
function pidsBelow(folder: string): number[] {
  try {
    const own = readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n')
    const within = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())
    return [
      ...own.map(Number).filter((pid) => pid > 1),
      ...within.flatMap(({ name }) => pidsBelow(join(folder, name))),
    ]
  } catch {
    // The group is gone.
    return []
  }
}

function hierarchies(): Hierarchies {
  const mounts = read('/proc/self/mounts')
    .split('\n')
    .map((line) => line.split(' '))
  const place = (wanted: (type: string, options: string[]) => boolean) =>
    mounts.find(([, , type = '', options = '']) => wanted(type, options.split(',')))?.[1]
  return {
    unified: place((type) => type === 'cgroup2'),
    freezer: place((type, options) => type === 'cgroup' && options.includes('freezer')),
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch {
    // The group has gone meanwhile, or cannot be ended as one: its processes are ended by themselves.
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
