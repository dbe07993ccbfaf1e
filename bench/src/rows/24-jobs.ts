import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { openChannels } from '../../../control-plane/src/db/channels.ts'
import { inOneTransaction, openDatabase, openPool } from '../../../control-plane/src/db/database.ts'
import { CHANNEL, dispatch } from '../../../control-plane/src/jobs/dispatch/dispatch-store.ts'
import { startDispatcher } from '../../../control-plane/src/jobs/dispatch/dispatcher.ts'
import { median, quantile } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'

const LATENCIES = 60
const BATCH = 10
const WORKERS = 4

/** From enqueuing a job to the start of its handler; and jobs per second compared with bare SKIP LOCKED. */
export const jobs: Row = {
  number: 24,
  name: 'jobs',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const log = pino({ level: 'silent' })
    const connection = { connectionString: database.url }
    const pool = bench.ending.add(openPool(connection, { max: 4, log }), (one) => one.end())
    const db = openDatabase(pool)
    const started = new Map<string, (at: number) => void>()
    let done = 0
    // As the control plane does it, with work that ends at once.
    const run = async (jobId: string) => {
      done += 1
      started.get(jobId)?.(performance.now())
    }
    const channels = bench.ending.add(openChannels(connection, log), (one) => one.stop())
    bench.ending.add(startDispatcher({ pool, channels, log, run }), (one) => one.stop())
    const latencies: number[] = []
    for (let n = 0; n < LATENCIES; n++) {
      const jobId = randomUUID()
      const { promise, resolve } = Promise.withResolvers<number>()
      started.set(jobId, resolve)
      const sent = performance.now()
      await inOneTransaction(db, (tx) => dispatch(tx, jobId))
      latencies.push((await promise) - sent)
    }
    const size = bench.long ? 2000 : 400
    const rates: { ours: number; raw: number }[] = []
    const ours = async () => {
      const before = done
      const from = performance.now()
      await pool.query(
        `with made as (insert into job_dispatch (job_id) select gen_random_uuid() from generate_series(1, $1::int))
         select pg_notify('${CHANNEL}', '')`,
        [size],
      )
      while (done - before < size) await pause(1)
      // Until their end is recorded.
      while ((await pool.query('select from job_dispatch limit 1')).rowCount !== 0) await pause(1)
      return size / ((performance.now() - from) / 1000)
    }
    await ours()
    await rawRate(database, size)
    for (let round = 0; round < 5; round++)
      rates.push({ ours: await ours(), raw: await rawRate(database, size) })
    const findings: Finding[] = [
      {
        what: 'a job handed over, until its handler starts: p50',
        value: median(latencies),
        unit: 'ms',
        target: { atMost: 5 },
        peer: 'pg-boss 12 as it comes 501 ms, by notifications 3.1 ms',
        detail: { 'p95 ms': quantile(latencies, 0.95) },
      },
      {
        what: `jobs a second / bare SKIP LOCKED in batches of ${BATCH}`,
        value: median(rates.map(({ ours, raw }) => ours / raw)),
        unit: 'x',
        target: { atLeast: 0.8 },
        detail: {
          '/s': median(rates.map(({ ours }) => ours)),
          'raw /s': median(rates.map(({ raw }) => raw)),
        },
        peer: 'pg-boss 12: 0.05 x',
      },
    ]
    return findings
  },
}

async function rawRate({ pool }: Database, size: number): Promise<number> {
  await pool.query('create table if not exists raw_jobs (id uuid primary key, done_at timestamptz)')
  await pool.query('create index if not exists raw_open on raw_jobs (id) where done_at is null')
  const from = performance.now()
  await pool.query(
    'insert into raw_jobs (id) select gen_random_uuid() from generate_series(1, $1)',
    [size],
  )
  let left = size
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      while (left > 0) {
        const claimed = await claim(pool)
        left -= claimed
      }
    }),
  )
  return size / ((performance.now() - from) / 1000)
}

/** Claims a batch and ends each of its jobs, as separate work that must be recorded. */
async function claim(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'raw_claim',
    text: `update raw_jobs set done_at = now() where id in (
      select id from raw_jobs where done_at is null limit ${BATCH} for update skip locked) returning id`,
  })
  return rows.length
}
