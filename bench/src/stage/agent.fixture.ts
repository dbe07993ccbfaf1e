import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../row.ts'
import type { Database } from './database.ts'
import { NODE_CREDENTIAL } from './fleet-rows.ts'
import { type Program, repository, startProgram } from './program.ts'
import type { ControlPlaneSide } from './sides.ts'

/**
 * The real agent of a node in the database, connected; ends with the row.
 * @param given.main the program, by default the source
 * @param given.node index of the node; by default the first
 * @param given.preload modules that are preloaded into its process
 */
export async function startAgent(
  bench: Bench,
  database: Database,
  side: ControlPlaneSide,
  folder: string,
  env: Readonly<Record<string, string>>,
  given: { main?: string; node?: number; preload?: readonly string[] } = {},
): Promise<Program> {
  const { main = 'agent/src/main.ts', node = 0, preload = [] } = given
  const { rows } = await database.pool.query<{ id: string }>('select id from nodes order by id')
  await mkdir(folder, { recursive: true })
  const authority = path.join(side.plane.dataFolder, 'authority/authority.pem')
  const identity = {
    nodeId: rows[node]?.id,
    credential: NODE_CREDENTIAL,
    caCertificate: (await readFile(authority, 'utf8')).split('-----BEGIN PRIVATE')[0],
    fleetAddress: `127.0.0.1:${side.plane.fleetPort}`,
    serverName: 'lodge',
  }
  await writeFile(path.join(folder, 'node.json'), JSON.stringify(identity))
  const program = await startProgram(
    [...preload.flatMap((file) => ['--import', path.join(repository, file)]), main, 'run'],
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
