import { sql } from 'drizzle-orm'
import pino from 'pino'
import { z } from 'zod'
import type { System } from '../actor.ts'
import { type Ctx, contextFor } from '../context.ts'
import { openChannels } from '../db/channels.ts'
import { openDatabase, openPool } from '../db/database.ts'
import { catalogueOf } from '../domain.ts'
import { LiveEvents } from '../live/live-events.ts'
import type { Services } from '../services.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import { JobQueue } from './queue.ts'
import { recurringJobsTask } from './recurring.ts'
import { Permanent, type Saga, saga } from './sagas/saga.ts'
import { type SagaCatalogue, sagaTask, startWorker } from './worker.ts'

/** Shared by the worker's tests: a saga whose effects are rows, run in this process or another. */

/** Where steps record their effects; created by the test as the database's owner. */
export const EFFECTS_TABLE =
  'create table effects (key text primary key, step text not null, attempts int not null default 1)'

const Input = z.object({ fails: z.boolean() })

const nothing = async () => undefined

/**
 * @param inSecond what the second step does besides its effect
 * @param inUndo runs before the second step's undo
 * @param inThird what the third step does besides its effect
 */
export const threeSteps = (
  inSecond: (signal: AbortSignal) => Promise<void> = nothing,
  inUndo: (signal: AbortSignal) => Promise<void> = nothing,
  inThird: (signal: AbortSignal) => Promise<void> = nothing,
) =>
  saga('test.three', Input)
    .step('First', {
      do: async (_state, { ctx, key }) => effect(ctx, key, 'First'),
      undo: async (_state, { ctx, key }) => takeBack(ctx, key),
    })
    .step('Second', {
      async do(_state, { ctx, key, progress, signal }) {
        await effect(ctx, key, 'Second')
        await progress(50, 'half of it')
        await inSecond(signal)
      },
      async undo(_state, { ctx, key, signal }) {
        await inUndo(signal)
        await takeBack(ctx, key)
      },
    })
    .step('Third', {
      async do({ fails }, { ctx, key, signal }) {
        await effect(ctx, key, 'Third')
        await inThird(signal)
        if (fails) throw new Permanent('broken', 'It cannot be done')
      },
      undo: async (_state, { ctx, key }) => takeBack(ctx, key),
    })

async function effect(ctx: Ctx<System>, key: string, step: string): Promise<void> {
  await ctx.db.execute(sql`insert into effects (key, step) values (${key}, ${step})
    on conflict (key) do update set attempts = effects.attempts + 1`)
}

async function takeBack(ctx: Ctx<System>, key: string): Promise<void> {
  await ctx.db.execute(sql`delete from effects where key = ${key}`)
}

type TestSaga = Pick<Saga<object, never>, 'name' | 'input' | 'steps'>

export interface Workshop {
  readonly jobs: JobQueue
  readonly ctx: Ctx<System>
  /** Starts a worker for these sagas. */
  work(...work: TestSaga[]): Promise<void>
  /** Stops the workers; the jobs stay. */
  stopWorking(): Promise<void>
  /** Checks once for jobs without a dispatch row. */
  redispatch(work: TestSaga): Promise<Readonly<Record<string, number>>>
  /** Checks once for due recurring jobs. */
  recur(work: TestSaga): Promise<Readonly<Record<string, number>>>
  stop(): Promise<void>
}

/** The part of a control plane that runs jobs. */
export async function openWorkshop(url: string): Promise<Workshop> {
  const log = pino({ level: process.env.LODGE_LOG_LEVEL ?? 'silent' })
  const pool = openPool({ connectionString: url }, { max: 4, log })
  const db = openDatabase(pool)
  const live = new LiveEvents(db, log)
  const jobs = new JobQueue(live)
  // Steps of these tests use neither nodes nor secrets.
  const catalogue = catalogueOf([])
  const services = { db, jobs, live, log, catalogue } as Partial<Services> as Services
  const channels = openChannels({ connectionString: url }, log)
  const workers: Dispatcher[] = []
  return {
    jobs,
    ctx: contextFor(services, { kind: 'system' }),
    async work(...work) {
      const sagas: SagaCatalogue = new Map(work.map((one) => [one.name, one]))
      workers.push(startWorker({ pool, channels }, sagas, services))
    },
    redispatch: (work) => sagaTask(new Map([[work.name, work]])).run(services),
    recur: (work) => recurringJobsTask(new Map([[work.name, work]])).run(services),
    async stopWorking() {
      for (const worker of workers.splice(0)) await worker.stop()
    },
    async stop() {
      for (const worker of workers) await worker.stop()
      await channels.stop()
      await pool.end()
    },
  }
}

/** As a separate process: takes jobs and hangs in the middle of the second step. */
if (process.argv[1] === import.meta.filename) {
  const workshop = await openWorkshop(process.argv[2] ?? '')
  await workshop.work(
    threeSteps(async () => {
      process.stdout.write('in the middle\n')
      await new Promise(() => undefined)
    }),
  )
  process.stdout.write('ready\n')
}
