import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Database } from './database.ts'
import { type Program, startProgram } from './program.ts'

/** The control plane as a separate process, as `npm start` runs it. */
export interface ControlPlaneProcess {
  readonly program: Program
  readonly origin: string
  readonly port: number
  readonly fleetPort: number
  readonly dataFolder: string
  stop(): Promise<void>
}

/** The token for reading Prometheus metrics. */
export const METRICS_TOKEN = 'a-token-for-the-bench'

const MASTER_KEY = Buffer.alloc(32, 'bench').toString('base64')

/** Prefix of the application names of the control plane's connections in PostgreSQL. */
export const APPLICATION = 'lodge'

/**
 * @param given.main the program, by default the source; name a bundle to measure it
 * @param given.dataFolder kept afterwards if given, for a second start
 */
export async function startControlPlane(
  database: Pick<Database, 'url'>,
  given: {
    main?: string
    dataFolder?: string
    env?: Readonly<Record<string, string>>
    nodeArgs?: readonly string[]
  } = {},
): Promise<ControlPlaneProcess> {
  const dataFolder =
    given.dataFolder ?? (await mkdtemp(path.join(os.tmpdir(), 'lodge-bench-data-')))
  const program = await startProgram(
    [...(given.nodeArgs ?? []), given.main ?? 'control-plane/src/main.ts'],
    {
      DATABASE_URL: database.url,
      LODGE_DATA: dataFolder,
      // The same for all control planes of one database.
      LODGE_MASTER_KEY: MASTER_KEY,
      LODGE_HOST: '127.0.0.1',
      LODGE_PORT: '0',
      LODGE_FLEET_HOST: '127.0.0.1',
      LODGE_FLEET_PORT: '0',
      LODGE_FLEET_ADDRESS: '127.0.0.1:0',
      LODGE_LOCAL_NODE: 'false',
      LODGE_SFTP: 'false',
      LODGE_CHANGE_BURST: '1000000',
      LODGE_METRICS_TOKEN: METRICS_TOKEN,
      ...given.env,
    },
    (line) => line.msg === 'the control plane is ready',
  )
  const port = Number(program.ready.port)
  return {
    program,
    port,
    origin: `http://127.0.0.1:${port}`,
    fleetPort: Number(String(program.ready.fleet).split(':').at(-1)),
    dataFolder,
    /** May be called twice. */
    async stop() {
      await program.end()
      if (!given.dataFolder) await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
