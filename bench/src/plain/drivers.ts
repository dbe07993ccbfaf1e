import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import postgres from 'postgres'
import { LodgeClient } from '../../../control-plane/src/db/lodge-client.ts'

/**
 * The same transaction through three drivers: two rows read, two written, two notices. The first
 * argument names the driver.
 */

const connection = {
  connectionString: process.env.DATABASE_URL,
  max: 12,
  application_name: 'raw',
}
const OWNER = 'select id, email from users where id = $1 for no key update'
const TEMPLATE = 'select id, document from templates where id = $1'
const JOB = `insert into jobs (id, kind, title, state, owner_id, input, steps, ended_at)
  values ($1, 'server.create', $2, 'done', $3, '{}', '[]', now())`
const NOTICE = 'select pg_notify($1, $2)'

interface Asked {
  readonly ownerId: string
  readonly templateId: string
}
type Place = (asked: Asked) => Promise<unknown>

async function inTransaction(client: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  try {
    await client.query('begin')
    await work()
    await client.query('commit')
  } finally {
    client.release()
  }
}

const drivers: Readonly<Record<string, () => Place>> = {
  lodge() {
    const pool = new pg.Pool({ ...connection, Client: LodgeClient })
    return async ({ ownerId, templateId }) => {
      const client = (await pool.connect()) as pg.PoolClient & LodgeClient
      await inTransaction(client, async () => {
        await client.query(OWNER, [ownerId])
        await client.query(TEMPLATE, [templateId])
        await client.later({ text: JOB, values: [randomUUID(), 'one', ownerId] })
        await client.later({ text: JOB, values: [randomUUID(), 'two', ownerId] })
        await client.notify('raw_fleet', ownerId)
        await client.notify('raw_live', ownerId)
      })
    }
  },
  pg() {
    const pool = new pg.Pool(connection)
    return async ({ ownerId, templateId }) => {
      const client = await pool.connect()
      const ask = (name: string, text: string, values: string[]) =>
        client.query({ name, text, values })
      await inTransaction(client, async () => {
        await ask('owner', OWNER, [ownerId])
        await ask('template', TEMPLATE, [templateId])
        await ask('job', JOB, [randomUUID(), 'one', ownerId])
        await ask('job', JOB, [randomUUID(), 'two', ownerId])
        await ask('notice', NOTICE, ['raw_fleet', ownerId])
        await ask('notice', NOTICE, ['raw_live', ownerId])
      })
    }
  },
  'postgres.js'() {
    const url = new URL(process.env.DATABASE_URL ?? '')
    const sql = postgres({
      host: url.searchParams.get('host') ?? url.hostname,
      database: url.pathname.slice(1),
      username: url.username,
      max: connection.max,
      connection: { application_name: 'raw' },
    })
    const named = { prepare: true }
    return ({ ownerId, templateId }) =>
      sql.begin(async (tx) => {
        await tx.unsafe(OWNER, [ownerId], named)
        await tx.unsafe(TEMPLATE, [templateId], named)
        // It sends these in one go, and the commit after their responses.
        await Promise.all([
          tx.unsafe(JOB, [randomUUID(), 'one', ownerId], named),
          tx.unsafe(JOB, [randomUUID(), 'two', ownerId], named),
          tx.unsafe(NOTICE, ['raw_fleet', ownerId], named),
          tx.unsafe(NOTICE, ['raw_live', ownerId], named),
        ])
      })
  },
}

const place = drivers[process.argv[2] ?? '']?.()
if (!place) throw new Error(`no driver ${process.argv[2]}`)
const app = Fastify()
app.post<{ Body: Asked }>('/', async (request, response) => {
  await place(request.body)
  return response.code(202).send({})
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port: Number(new URL(address).port) }))
process.on('SIGTERM', () => process.exit(0))
