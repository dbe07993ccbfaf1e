import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { SAGA_QUEUE } from '../../../control-plane/src/jobs/queue.ts'
import { startDispatcher } from '../../../control-plane/src/jobs/worker.ts'
import { median, quantile } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'

const LATENCIES = 60
const BATCH = 10
const WORKERS = 4

/** From handing a job over to its handler's start; and jobs a second beside bare SKIP LOCKED. */
export const jobs: Row = {
  number: 24,
  name: 'jobs',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const boss = bench.ending.add(
      await startDispatcher({ connectionString: database.url }, pino({ level: 'silent' })),
      (one) => one.stop({ graceful: false }),
    )
    const started = new Map<string, (at: number) => void>()
    let done = 0
    // As the worker of the control plane does it, with work that is over at once.
    let workId: string | undefined
    workId = await boss.work<{ jobId: string }>(
      SAGA_QUEUE,
      { localConcurrency: 4, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 },
      async ([job]) => {
        if (workId) boss.notifyWorker(workId)
        done += 1
        if (job) started.get(job.data.jobId)?.(performance.now())
      },
    )
    const latencies: number[] = []
    for (let n = 0; n < LATENCIES; n++) {
      const jobId = randomUUID()
      const { promise, resolve } = Promise.withResolvers<number>()
      started.set(jobId, resolve)
      const sent = performance.now()
      await boss.send(SAGA_QUEUE, { jobId }, { singletonKey: jobId })
      latencies.push((await promise) - sent)
    }
    const rates: { ours: number; raw: number }[] = []
    for (let round = 0; round < 5; round++) {
      const size = bench.long ? 1000 : 40
      const before = done
      const from = performance.now()
      await boss.insert(
        SAGA_QUEUE,
        Array.from({ length: size }, () => {
          const jobId = randomUUID()
          return { data: { jobId }, singletonKey: jobId }
        }),
      )
      while (done - before < size) await pause(2)
      const ours = size / ((performance.now() - from) / 1000)
      rates.push({ ours, raw: await rawRate(database, size) })
    }
    const findings: Finding[] = [
      {
        what: 'a job handed over, until its handler starts: p50',
        value: median(latencies),
        unit: 'ms',
        target: { atMost: 5 },
        peer: 'pg-boss as it comes 501 ms',
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

/** Takes a batch and ends each of its jobs, as work of its own that has to be written down. */
async function claim(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'raw_claim',
    text: `update raw_jobs set done_at = now() where id in (
      select id from raw_jobs where done_at is null limit ${BATCH} for update skip locked) returning id`,
  })
  return rows.length
}
