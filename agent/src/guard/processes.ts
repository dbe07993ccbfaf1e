import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Trace } from '@lodge/driver/trace.ts'

/** What runs of a server. */
export interface Found {
  readonly pids: readonly number[]
  /** Its cgroups by hierarchy, as in /proc/<pid>/cgroup: empty for version 2. */
  readonly cgroups: ReadonlyMap<string, ReadonlySet<string>>
}

type Traced = ReadonlyMap<string, readonly Trace[]>
type Collected = { readonly pids: number[]; readonly cgroups: Map<string, Set<string>> }

/**
 * Finds the processes of servers, by server. Asks the kernel only, and never anything that may
 * hang. Sync, because it is all that its process does at that time.
 */
export function processesOf(servers: Traced): Map<string, Found> {
  const found = new Map<string, Collected>()
  const of = (serverId: string): Collected => {
    const known: Collected = found.get(serverId) ?? { pids: [], cgroups: new Map() }
    found.set(serverId, known)
    return known
  }
  const cgroups = tracesOf(servers, 'cgroup')
  const programs = tracesOf(servers, 'program')
  for (const pid of pidsHere()) {
    const groups = cgroups.length > 0 ? read(`/proc/${pid}/cgroup`) : ''
    for (const { serverId, trace } of cgroups) {
      if (!groups.includes(trace.name)) continue
      const one = of(serverId)
      one.pids.push(pid)
      for (const [hierarchy, path] of groupsNamed(trace.name, groups))
        one.cgroups.set(hierarchy, (one.cgroups.get(hierarchy) ?? new Set()).add(path))
    }
    if (programs.length === 0) continue
    // Of the few programs in question only: the command line is in memory that a process may hold.
    const name = read(`/proc/${pid}/comm`)
    const named = programs.filter(({ trace }) => trace.names.some((one) => name.startsWith(one)))
    if (named.length === 0) continue
    const line = read(`/proc/${pid}/cmdline`)
    for (const { serverId, trace } of named)
      if (line.includes(trace.line) && networkOf(pid) === trace.networkNamespace)
        of(serverId).pids.push(pid)
  }
  return found
}

function tracesOf<Kind extends Trace['kind']>(servers: Traced, kind: Kind) {
  type Of = { readonly serverId: string; readonly trace: Extract<Trace, { kind: Kind }> }
  return [...servers].flatMap(([serverId, traces]) =>
    traces.flatMap((trace) => (trace.kind === kind ? [{ serverId, trace } as Of] : [])),
  )
}

/** `<number>:<controllers>:<path>` for each hierarchy; the path up to the group of this name. */
function groupsNamed(name: string, text: string): [string, string][] {
  return text.split('\n').flatMap((line): [string, string][] => {
    const [, hierarchy, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (hierarchy === undefined || path === undefined) return []
    const parts = path.split('/')
    const at = parts.findIndex((part) => part.includes(name))
    return at < 0 ? [] : [[hierarchy, parts.slice(0, at + 1).join('/')]]
  })
}

/**
 * Whether it still runs, and does not only wait for its parent to notice its end. A program may go
 * on in other threads after its first one has ended.
 */
export function isAlive(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`)
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0]
  if (state === undefined || state === 'X') return false
  return state !== 'Z' || threadsOf(pid) > 1
}

function threadsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length
  } catch {
    return 0
  }
}

const pidsHere = (): number[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))

/** A process may be gone at any time. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function networkOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return ''
  }
}
