import path from 'node:path'
import { cpuMicrosOf } from '../measure/cpu.ts'
import type { Finding, Row } from '../row.ts'
import { startControlPlane } from '../stage/control-plane.ts'
import { bareFleet, connectedFleet, startBare } from './10-agents.ts'

const JITTER_SECONDS = 15

/** kill -9 of the control plane under connected agents, until all of them are back. */
export const reconnect: Row = {
  number: 11,
  name: 'reconnect',
  async run(bench) {
    const count = bench.long ? 5000 : 1000
    const { database, side, ours } = await connectedFleet(bench, count)
    const { agents } = ours
    const before = agents.count()
    const { plane } = side
    await plane.program.end('SIGKILL')
    const started = performance.now()
    await agents.until(({ up }) => up === 0)
    const again = bench.ending.add(
      await startControlPlane(database, {
        dataFolder: plane.dataFolder,
        env: { LODGE_FLEET_PORT: String(plane.fleetPort) },
      }),
      (one) => one.stop(),
    )
    const upSeconds = (performance.now() - started) / 1000
    const cpuBefore = cpuMicrosOf(again.program.pid)
    await agents.until(({ up }) => up === count)
    const seconds = (performance.now() - started) / 1000
    const storm = (cpuMicrosOf(again.program.pid) - cpuBefore) / count
    const { rows } = await database.pool.query<{ nodes: number; twice: number }>(
      `select count(distinct session_id)::int as nodes, count(*)::int - count(distinct session_id)::int as twice
       from nodes where instance_id = (select instance_id from nodes order by connected_at desc limit 1)`,
    )
    if (rows[0]?.nodes !== count || rows[0].twice !== 0) throw new Error('sessions are missing')
    // The same for the limit, with its own agents.
    await agents.stop()
    const bare = await bareFleet(bench, database, plane.dataFolder)
    await bare.program.end('SIGKILL')
    await bare.agents.until(({ up }) => up === 0)
    const authorityFolder = path.join(plane.dataFolder, 'authority')
    const bareAgain = await startBare(bench, authorityFolder, bare.port)
    const bareBefore = cpuMicrosOf(bareAgain.pid)
    await bare.agents.until(({ up }) => up === count)
    const bareStorm = (cpuMicrosOf(bareAgain.pid) - bareBefore) / count
    const findings: Finding[] = [
      {
        what: `${count} agents back after kill -9, beyond the start of the program`,
        value: seconds - upSeconds,
        unit: 's',
        target: { atMost: 1.5 * ((count * 2.2) / 1000) + JITTER_SECONDS },
        peer: 'Swarm limits registrations to one in 8 s for each node',
        detail: { 'program s': upSeconds, lost: agents.count().lost - before.lost },
      },
      {
        what: 'CPU of the control plane for each agent that comes back / bare TLS and stream',
        value: storm / bareStorm,
        unit: 'x',
        target: { atMost: 1.5 },
        detail: { 'ms each': storm / 1000, 'bare ms each': bareStorm / 1000 },
      },
    ]
    return findings
  },
}
