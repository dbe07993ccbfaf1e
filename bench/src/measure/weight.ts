import { readdirSync, readFileSync } from 'node:fs'
import { cpuMicrosOf } from './cpu.ts'

/** A process and all its descendants, as one. */
export interface Weight {
  /** Private memory and its share of shared memory, in MiB. */
  readonly pssMb: number
  /** CPU so far, including processes that have ended, in milliseconds. */
  readonly cpuMs: number
}

const MS_PER_TICK = 10

export function weightOf(pid: number): Weight {
  const own = [pid, ...descendants(pid)]
  return {
    pssMb: own.reduce((sum, one) => sum + pssMb(one), 0),
    cpuMs: own.reduce((sum, one) => sum + cpuMicrosOf(one) / 1000 + buriedMs(one), 0),
  }
}

function descendants(pid: number): number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`).trim()
  // Any thread may have started a program, not only the first.
  const all = threads(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).trim().split(' '),
  )
  const found = [...new Set([...text.split(' '), ...all])].filter(Boolean).map(Number)
  return found.flatMap((one) => [one, ...descendants(one)])
}

function threads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Proportional set size, from smaps_rollup. */
function pssMb(pid: number): number {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`)) ?? []
  return Number(kilobytes ?? 0) / 1024
}

/** cutime and cstime of `/proc/<pid>/stat`: what ended children used. */
function buriedMs(pid: number): number {
  const line = read(`/proc/${pid}/stat`)
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * MS_PER_TICK
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
