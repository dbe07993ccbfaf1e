import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { median } from '../measure/rounds.ts'
import { weightOf } from '../measure/weight.ts'
import type { Bench, Finding } from '../row.ts'
import { type ApiCaller, apiCaller } from './api.ts'
import type { Database } from './database.ts'
import { startDockerNode } from './docker-node.fixture.ts'
import { insertFleet } from './fleet-rows.ts'
import { type ControlPlaneSide, ourSide } from './sides.ts'

/** A control plane with one Docker node, on which servers with files run. */
export interface FileStage {
  readonly database: Database
  readonly side: ControlPlaneSide
  readonly api: ApiCaller
  /** The administrator, whom every server is open to. */
  readonly cookie: string
  /** A running server; `data` is its disk as the node sees it. */
  make(diskMb: number): Promise<{ serverId: string; data: string }>
  /** CPU so far of control plane and agent with their helpers, in milliseconds. */
  cpuMs(): number
  /** Removed with the row. */
  readonly folder: string
}

export async function fileStage(
  bench: Bench,
  env: Readonly<Record<string, string>> = {},
): Promise<FileStage> {
  const folder = bench.ending.add(
    await mkdtemp(path.join(os.tmpdir(), 'lodge-bench-files-')),
    (one) => rm(one, { recursive: true, force: true }),
  )
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  const {
    adminCookie: cookie,
    customer,
    templateId,
  } = await insertFleet(database.pool, { nodes: 1 })
  const side = await ourSide(bench, database, { env })
  const { dataOf, agentPid } = await startDockerNode(bench, database, side)
  bench.say('engine and agent are up')
  const api = apiCaller(side.plane.origin, cookie)
  const make = async (diskMb: number) => {
    const body = { name: 'Files', ownerId: customer.id, templateId, diskMb }
    const made = await api.post('/api/servers', body)
    await api.done(made)
    const serverId = String(made.serverId)
    return { serverId, data: dataOf(serverId) }
  }
  const cpuMs = () => weightOf(side.plane.program.pid).cpuMs + weightOf(agentPid).cpuMs
  return { database, side, api, cookie, make, cpuMs, folder }
}

/** Weighs transfers by the CPU that control plane, agent and helper spend on each MiB. */
export function cpuOf({ cpuMs }: FileStage, mib: number) {
  const spent = new Map<string, number[]>()
  return {
    async weighed<T>(what: string, work: () => Promise<T>): Promise<T> {
      const before = cpuMs()
      const result = await work()
      spent.set(what, [...(spent.get(what) ?? []), (cpuMs() - before) / mib])
      return result
    },
    findings: (): Finding[] =>
      [...spent].map(([what, values]) => ({
        what: `${what}: CPU of control plane, agent and helper for each MiB`,
        value: median(values),
        unit: 'ms',
      })),
  }
}
