import type { Bench } from '../row.ts'
import { APPLICATION, type ControlPlaneProcess, startControlPlane } from './control-plane.ts'
import type { Database } from './database.ts'
import type { HttpSide } from './http-load.ts'
import { startProgram } from './program.ts'

export type ControlPlaneSide = HttpSide & { readonly plane: ControlPlaneProcess }

/** Our control plane on this database, and what a burst needs to know about it. */
export async function ourSide(
  bench: Bench,
  database: Database,
  given: Parameters<typeof startControlPlane>[1] = {},
): Promise<ControlPlaneSide> {
  const plane = bench.ending.add(await startControlPlane(database, given), (one) => one.stop())
  return {
    plane,
    port: plane.port,
    appPid: plane.program.pid,
    backends: () => database.backends(APPLICATION),
  }
}

/** A transaction through one of the drivers of bench/src/plain/drivers.ts. */
export const driverSide = (bench: Bench, database: Database, driver: string): Promise<HttpSide> =>
  bareSide(bench, database, ['bench/src/plain/drivers.ts', driver])

/** The limits: programs in bench/src/limits that print their port. */
export const limitSide = (
  bench: Bench,
  database: Database,
  name: 'raw-list' | 'raw-place' | 'raw-checkout' | 'hello',
): Promise<HttpSide> => bareSide(bench, database, [`bench/src/limits/${name}.ts`])

async function bareSide(
  bench: Bench,
  database: Database,
  args: readonly string[],
): Promise<HttpSide> {
  const program = bench.ending.add(
    await startProgram(
      args,
      { DATABASE_URL: database.url },
      (line) => typeof line.port === 'number',
    ),
    (one) => one.end(),
  )
  return {
    port: Number(program.ready.port),
    appPid: program.pid,
    backends: () => database.backends('raw'),
  }
}
