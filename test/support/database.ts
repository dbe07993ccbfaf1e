import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { inject } from 'vitest'

/** A separate database with the newest schema and no rows. */
export interface FreshDatabase {
  /** As the owner of the tables, for changes a test makes behind the product's back. */
  pool: pg.Pool
  /** The same, for DATABASE_URL. */
  url: string
  /** As the product's database role: the code under test connects with it. */
  application: {
    pool: pg.Pool
    /** For LODGE_APPLICATION_DATABASE_URL. */
    url: string
  }
  /** Ends the pool and drops the database, closing every other connection to it. */
  drop(): Promise<void>
}

/** Clones the migrated template of this run. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const template = await askForTemplate(inject('databaseDoor'))
  return createDatabase(template, new URL(template.url).pathname.slice(1))
}

/**
 * The same with everything that a control plane prepares on start, so that `startLodge` is faster.
 */
export async function preparedDatabase(): Promise<FreshDatabase> {
  const template = await askForTemplate(inject('databaseDoor'))
  return createDatabase(template, template.prepared)
}

/** A database without tables, for tests of the migrations. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  return createDatabase(await askForTemplate(inject('databaseDoor')), 'template0')
}

interface Template {
  readonly url: string
  readonly applicationUrl: string
  readonly prepared: string
}

async function createDatabase(template: Template, from: string): Promise<FreshDatabase> {
  const name = `lodge_test_${randomUUID().replaceAll('-', '')}`
  await onServer(template.url, `create database ${name} template ${from} strategy file_copy`)

  const open = (templateUrl: string) => {
    const url = new URL(templateUrl)
    url.pathname = name
    const pool = new pg.Pool({ connectionString: url.href, max: 10 })
    // A test that kills connections on purpose must not end the whole run.
    pool.on('error', () => undefined)
    return { pool, url: url.href }
  }
  const owner = open(template.url)
  const application = open(template.applicationUrl)
  return {
    ...owner,
    application,
    async drop() {
      await Promise.all([owner.pool.end(), application.pool.end()])
      await onServer(template.url, `drop database if exists ${name} with (force)`)
    },
  }
}

async function askForTemplate(door: string): Promise<Template> {
  const answer = JSON.parse(await text(net.connect(door)))
  if (answer.fault) throw new Error(answer.fault)
  return answer
}

async function onServer(templateUrl: string, sql: string): Promise<void> {
  const url = new URL(templateUrl)
  url.pathname = 'postgres'
  const client = new pg.Client(url.href)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
