import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { inject } from 'vitest'

/** A database of its own with the newest schema and no rows. */
export interface FreshDatabase {
  pool: pg.Pool
  /** For DATABASE_URL and for further pools. */
  url: string
  /** Ends the pool and removes the database, cutting every other connection to it. */
  drop(): Promise<void>
}

/** Clones the migrated template of this run. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const templateUrl = await askForTemplate(inject('databaseDoor'))
  const template = new URL(templateUrl).pathname.slice(1)
  const name = `lodge_test_${randomUUID().replaceAll('-', '')}`
  await onServer(templateUrl, `create database ${name} template ${template} strategy file_copy`)

  const url = new URL(templateUrl)
  url.pathname = name
  const pool = new pg.Pool({ connectionString: url.href, max: 10 })
  // A test that kills connections on purpose must not end the whole run.
  pool.on('error', () => undefined)
  return {
    pool,
    url: url.href,
    async drop() {
      await pool.end()
      await onServer(templateUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

async function askForTemplate(door: string): Promise<string> {
  const answer = JSON.parse(await text(net.connect(door)))
  if (answer.fault) throw new Error(answer.fault)
  return answer.url
}

async function onServer(templateUrl: string, sql: string): Promise<void> {
  const url = new URL(templateUrl)
  url.pathname = 'postgres'
  const client = new pg.Client(url.href)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
