import { chmod, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { startEmbeddedDatabase } from '../../../control-plane/src/embedded-postgres/supervisor.ts'
import { HttpCaller } from '../../real/support/http-caller.ts'
import {
  type ControlPlaneProcess,
  controlPlaneProcess,
} from '../../support/control-plane-process.ts'
import { quickFolder } from '../../support/quick-folder.ts'
import { SilentLine } from '../../support/silent-line.ts'
import { databaseAt, startFounder } from './founder.ts'
import { type GuardedFleet, guardedFleet, QUICK_HEARTBEAT, QUICK_TIMES } from './guarded-fleet.ts'

const QUIET = { info: () => undefined, warn: () => undefined }

export interface Instance {
  readonly process: ControlPlaneProcess
  /** Its connection to PostgreSQL. */
  readonly line: SilentLine
  /** An administrator at this one. */
  readonly admin: HttpCaller
}

/** Two control planes that are processes, a PostgreSQL of their own, and a guarded fleet. */
export interface TwoControlPlanes extends AsyncDisposable {
  readonly instances: readonly [Instance, Instance]
  readonly fleet: GuardedFleet
  /** Direct access to the rows. */
  readonly pool: pg.Pool
  /** The process ID of PostgreSQL. */
  readonly postmaster: () => number
  /** The response of any of them; undefined while none responds. */
  ask<T>(question: (admin: HttpCaller) => Promise<T>): Promise<T | undefined>
}

/** @param random chooses which of the running instances an agent connects to */
export async function twoControlPlanes(random: () => number): Promise<TwoControlPlanes> {
  const stack = new AsyncDisposableStack()
  try {
    return await build(random, stack)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function build(random: () => number, stack: AsyncDisposableStack): Promise<TwoControlPlanes> {
  const folder = await mkdtemp(path.join(quickFolder(), 'lodge-nemesis-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const embedded = await startEmbeddedDatabase({ folder, log: QUIET })
  stack.defer(() => embedded.stop())
  const { host } = embedded.connection
  const database = databaseAt(`localhost/lodge?host=${encodeURIComponent(host)}`)
  stack.defer(() => database.drop())
  // Creates the fleet, and hands it over to the two control planes.
  const founder = await startFounder(database, stack)
  const { lodge } = founder

  const instances: Instance[] = []
  const { cookie } = await lodge.admin()
  for (const _ of ['one', 'other']) {
    const line = stack.use(await SilentLine.open(path.join(host, '.s.PGSQL.5432')))
    const process = stack.use(
      await controlPlaneProcess(
        {
          dataFolder: lodge.dataFolder,
          database: { ...database, ...databaseAt(`${line.address}/lodge`) },
        },
        {
          environment: { LODGE_APPLICATION_DATABASE_URL: '' },
          options: { ...QUICK_HEARTBEAT, leaseTimes: QUICK_TIMES },
        },
      ),
    )
    const admin = new HttpCaller(process.origin)
    admin.cookie = `panel_session=${cookie}`
    instances.push({ line, process, admin })
  }
  const [one, other] = instances
  if (!one || !other) throw new Error('unreachable')
  const portOf = () => {
    if (!founder.hasLeft) return lodge.controlPlane.services.fleet.port
    const both = random() < 0.5 ? [one, other] : [other, one]
    return (both.find(({ process }) => process.isRunning) ?? one).process.fleetPort
  }
  const fleet = stack.use(await guardedFleet(lodge, portOf))
  await Promise.all(instances.map(({ process }) => process.start()))
  await founder.leave()
  return {
    instances: [one, other],
    fleet,
    pool: database.pool,
    postmaster: () => embedded.pid,
    async ask(question) {
      for (const { admin, process } of random() < 0.5 ? [one, other] : [other, one]) {
        if (!process.isRunning) continue
        const answer = await question(admin).catch(() => undefined)
        if (answer !== undefined) return answer
      }
      await pause(100)
      return undefined
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
