import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../../control-plane/src/db/database.ts'
import { migrate } from '../../../control-plane/src/db/migrate.ts'
import { keepPartitions } from '../../../control-plane/src/domains/metrics/partitions.ts'
import { startEmbeddedDatabase } from '../../../control-plane/src/embedded-postgres/supervisor.ts'

const quiet = { info: () => undefined, warn: () => undefined }

/** This run's PostgreSQL, as durable as in production. */
export interface DatabaseServer {
  /** A migrated database without rows. */
  fresh(): Promise<Database>
  stop(): Promise<void>
}

export interface Database {
  /** For DATABASE_URL. */
  readonly url: string
  readonly pool: pg.Pool
  /** Process ids of the backends with this prefix in their application name. */
  backends(application: string): Promise<number[]>
  drop(): Promise<void>
}

export async function startDatabaseServer(): Promise<DatabaseServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-bench-'))
  await chmod(folder, 0o755)
  const cluster = await startEmbeddedDatabase({ folder, log: quiet })
  const urlOf = (name: string) =>
    `postgresql://postgres@localhost/${name}?host=${encodeURIComponent(cluster.connection.host)}`
  const server = new pg.Pool({ connectionString: urlOf('postgres'), max: 2 })
  server.on('error', () => undefined)
  const template = `template_${randomUUID().replaceAll('-', '')}`
  await server.query(`create database ${template}`)
  const filling = new pg.Pool({ connectionString: urlOf(template), max: 2 })
  await migrate(filling)
  await keepPartitions(openDatabase(filling), new Date())
  await filling.end()

  return {
    async fresh() {
      const name = `bench_${randomUUID().replaceAll('-', '')}`
      await server.query(`create database ${name} template ${template} strategy file_copy`)
      const url = urlOf(name)
      const pool = new pg.Pool({ connectionString: url, max: 4, application_name: 'bench' })
      pool.on('error', () => undefined)
      return {
        url,
        pool,
        async backends(application) {
          const { rows } = await pool.query<{ pid: number }>({
            name: 'backends',
            text: `select pid from pg_stat_activity
              where datname = current_database() and application_name like $1 || '%'`,
            values: [application],
          })
          return rows.map((row) => row.pid)
        },
        async drop() {
          await pool.end()
          await server.query(`drop database if exists ${name} with (force)`)
        },
      }
    },
    async stop() {
      await server.end()
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
