import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../row.ts'
import type { Database } from './database.ts'
import { NODE_CREDENTIAL } from './fleet-rows.ts'
import { type Program, startProgram } from './program.ts'
import type { ControlPlaneSide } from './sides.ts'

/** The real agent as the one node of the database, connected; ended with the row. */
export async function startAgent(
  bench: Bench,
  database: Database,
  side: ControlPlaneSide,
  folder: string,
  env: Readonly<Record<string, string>>,
  main = 'agent/src/main.ts',
): Promise<Program> {
  const { rows } = await database.pool.query<{ id: string }>('select id from nodes')
  await mkdir(folder)
  const authority = path.join(side.plane.dataFolder, 'authority/authority.pem')
  const identity = {
    nodeId: rows[0]?.id,
    credential: NODE_CREDENTIAL,
    caCertificate: (await readFile(authority, 'utf8')).split('-----BEGIN PRIVATE')[0],
    fleetAddress: `127.0.0.1:${side.plane.fleetPort}`,
    serverName: 'lodge',
  }
  await writeFile(path.join(folder, 'node.json'), JSON.stringify(identity))
  const program = await startProgram(
    [main, 'run'],
    {
      LODGE_AGENT_DATA: folder,
      LODGE_AGENT_MACHINES: 'none',
      LODGE_AGENT_LOG_LEVEL: 'debug',
      ...env,
    },
    (line) => /connected|welcome/i.test(String(line.msg)),
  )
  return bench.ending.add(program, (one) => one.end())
}
