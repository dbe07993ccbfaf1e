import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import type { FakeDriver } from '@lodge/driver-fake/fake.ts'

/**
 * Writes its node, its run and the time since boot, which is the same for all nodes on this machine.
 */
const TICK = `while :; do read up rest < /proc/uptime; echo "$1 $3 $up" >> "$2"; sleep 0.1; done`

/**
 * Gives each running workload of a fake driver a process that ticks into a file. A guard finds and
 * kills it, and its workload ends with it, as with a real engine.
 */
export function letTick(driver: FakeDriver, node: string, fileOf: (serverId: string) => string) {
  const { runtime } = driver
  const ticking = new Map<string, ChildProcess>()
  // Ids of processes come again within minutes.
  let runs = 0
  const end = (serverId: string) => ticking.get(serverId)?.kill('SIGKILL')
  const begin = (serverId: string) => {
    end(serverId)
    const marker = `lodge-tick:${node}:${serverId}`
    const run = String(++runs)
    const child = spawn('/bin/sh', ['-c', TICK, marker, node, fileOf(serverId), run], {
      stdio: 'ignore',
    })
    ticking.set(serverId, child)
    child.on('exit', () => {
      if (ticking.get(serverId) !== child) return
      ticking.delete(serverId)
      runtime.endBySignal(serverId, 'SIGKILL')
    })
  }
  runtime.listen((event) => {
    if (event.kind === 'started') begin(event.serverId)
    if (event.kind === 'exited' || event.kind === 'removed') end(event.serverId)
  })
  const networkNamespace = readlinkSync('/proc/self/ns/net')
  driver.tracesOf = async (serverId) => [
    { kind: 'program', names: ['sh'], line: `lodge-tick:${node}:${serverId}`, networkNamespace },
  ]
  return { close: () => [...ticking.keys()].forEach(end) }
}

/** One process of a server, from its first tick to its last. */
export interface TickedRun {
  readonly node: string
  readonly firstMs: number
  lastMs: number
}

/** The processes of a server, in order of their start. */
export function ticksIn(file: string): TickedRun[] {
  const runs = new Map<string, TickedRun>()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [node = '', number = '', up = ''] = line.split(' ')
    const atMs = Number(up) * 1000
    const run = runs.get(`${node} ${number}`)
    if (run) run.lastMs = atMs
    else runs.set(`${node} ${number}`, { node, firstMs: atMs, lastMs: atMs })
  }
  return [...runs.values()].toSorted((a, b) => a.firstMs - b.firstMs)
}
