import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { auditPrivileges } from '../../control-plane/src/audit/privileges.ts'
import { openDatabase } from '../../control-plane/src/db/database.ts'
import { prepareDatabase } from '../../control-plane/src/db/prepare.ts'
import { startEmbeddedDatabase } from '../../control-plane/src/embedded-postgres/supervisor.ts'
import { QUICK_FOLDERS, quickFolder } from '../support/quick-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Unix socket that sends the URLs of the migrated template database to each connection. */
    databaseDoor: string
  }
}

const prefix = 'lodge-test-postgres-'
const quiet = { info: () => undefined, warn: () => undefined }

/**
 * One temporary PostgreSQL per run, started when the first test needs it: runs without a database
 * start none. TEST_DATABASE_URL names another server to use instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers()
  const folder = path.join(quickFolder(), `${prefix}${process.pid}`)
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)

  let started: Promise<Template> | undefined
  const door = net.createServer((asking) => {
    asking.on('error', () => undefined)
    started ??= process.env.TEST_DATABASE_URL
      ? makeTemplate(process.env.TEST_DATABASE_URL)
      : startThrowAway(folder)
    started.then(
      ({ url, applicationUrl, prepared }) =>
        asking.end(JSON.stringify({ url, applicationUrl, prepared })),
      (error) => asking.end(JSON.stringify({ fault: String(error) })),
    )
  })
  const databaseDoor = path.join(folder, 'door')
  await new Promise<void>((resolve) => door.listen(databaseDoor, resolve))
  project.provide('databaseDoor', databaseDoor)

  return async () => {
    door.close()
    const template = await started?.catch(() => undefined)
    await template?.end()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Template {
  url: string
  /** As the application's role. */
  applicationUrl: string
  /** Name of a second template that a control plane has prepared for a start. */
  prepared: string
  end(): Promise<void>
}

async function startThrowAway(folder: string): Promise<Template> {
  const database = await startEmbeddedDatabase({ folder, durable: false, log: quiet })
  const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(database.connection.host)}`
  const template = await makeTemplate(url)
  return { ...template, end: () => database.stop() }
}

/** Prepares a fresh database once, as the product does; every test clones it, which takes some 50 ms. */
async function makeTemplate(serverUrl: string): Promise<Template> {
  const name = `lodge_template_${randomUUID().replaceAll('-', '')}`
  const url = new URL(serverUrl)
  url.pathname = name
  await onServer(serverUrl, `create database ${name}`)
  const { connection, concern } = await prepareDatabase({
    owner: parseIntoClientConfig(url.href),
    application: undefined,
    password: randomUUID(),
    privileges: auditPrivileges,
    log: pino({ level: 'silent' }),
  })
  if (concern !== undefined) throw new Error(concern)
  const applicationUrl = new URL(url)
  applicationUrl.username = connection.user ?? ''
  applicationUrl.password = String(connection.password)
  const prepared = `${name}_prepared`
  await onServer(serverUrl, `create database ${prepared} template ${name} strategy file_copy`)
  await prepareContents(applicationUrl, prepared)
  return {
    prepared,
    url: url.href,
    applicationUrl: applicationUrl.href,
    async end() {
      for (const one of [prepared, name])
        await onServer(serverUrl, `drop database ${one} with (force)`)
      await onServer(serverUrl, `drop role ${connection.user}`)
    },
  }
}

/** Creates what every start would otherwise create first, which takes longer than the rest of it. */
async function prepareContents(applicationUrl: URL, name: string): Promise<void> {
  const [{ keepPartitions }, { seedBuiltInTemplates }, { seedBuiltInProfiles }] = await Promise.all(
    [
      import('../../control-plane/src/domains/metrics/partitions.ts'),
      import('../../control-plane/src/domains/templates/built-in.ts'),
      import('../../control-plane/src/domains/virtualization/profiles/built-in.ts'),
    ],
  )
  const url = new URL(applicationUrl)
  url.pathname = name
  const pool = new pg.Pool({ connectionString: url.href, max: 1 })
  const db = openDatabase(pool)
  try {
    await keepPartitions(db, new Date())
    await seedBuiltInTemplates({ db })
    await seedBuiltInProfiles({ db })
  } finally {
    await pool.end()
  }
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const server = new pg.Client(serverUrl)
  await server.connect()
  await server.query(statement).finally(() => server.end())
}

/** Stops servers that killed runs left behind. */
async function removeLeftovers(): Promise<void> {
  for (const parent of QUICK_FOLDERS) await removeLeftoversIn(parent)
}

async function removeLeftoversIn(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || existsSync(`/proc/${name.slice(prefix.length)}`)) continue
    const folder = path.join(parent, name)
    if (existsSync(path.join(folder, 'data/postmaster.pid'))) {
      const database = await startEmbeddedDatabase({ folder, durable: false, log: quiet })
      await database.stop()
    }
    await rm(folder, { recursive: true, force: true })
  }
}
