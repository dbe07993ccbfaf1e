import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { startLodge } from '../../../test/support/stack.ts'
import { until } from '../../../test/support/until.ts'
import { type Channels, openChannels, othersListen } from './channels.ts'

let database: FreshDatabase
let channels: Channels
beforeAll(async () => {
  database = await freshDatabase()
  channels = openChannels({ connectionString: database.application.url }, pino({ level: 'silent' }))
})
afterAll(async () => {
  await channels.stop()
  await database.drop()
})

const LISTENERS = `from pg_stat_activity
  where datname = current_database() and application_name like 'lodge-listen %'`

/** Records what a channel receives, and how often listening began. */
function hear(channel: string) {
  const heard: string[] = []
  let gaps = 0
  const { ready, stop } = channels.hear(channel, {
    payload: (text) => heard.push(text),
    gap: () => (gaps += 1),
  })
  return { heard, ready, stop, gaps: () => gaps }
}

test('several channels share one connection, and all of them recover after it breaks', async () => {
  const [one, two, also] = [hear('one'), hear('two'), hear('one')]
  await Promise.all([one.ready, two.ready, also.ready])
  const say = (channel: string, text: string) =>
    database.application.pool.query('select pg_notify($1, $2)', [channel, text])
  await say('one', 'a')
  await say('two', 'b')
  await until(() => two.heard.length === 1 && also.heard.length === 1)
  expect([one.heard, two.heard, also.heard]).toEqual([['a'], ['b'], ['a']])

  const gaps = [one, two].map((each) => each.gaps())
  const { rowCount } = await database.pool.query(`select pg_terminate_backend(pid) ${LISTENERS}`)
  expect(rowCount).toBe(1)
  await until(() => one.gaps() > (gaps[0] ?? 0) && two.gaps() > (gaps[1] ?? 0))
  also.stop()
  await say('one', 'c')
  await until(() => one.heard.length === 2)
  expect(also.heard).toEqual(['a'])
})

test('a connection that dies silently is detected and replaced', async () => {
  const { host = '', port = 5432, ...rest } = parseIntoClientConfig(database.application.url)
  const lines: net.Socket[] = []
  const relay = net.createServer((near) => {
    const far = host.startsWith('/')
      ? net.connect(`${host}/.s.PGSQL.${port}`)
      : net.connect(Number(port), host)
    lines.push(
      near.on('error', () => far.destroy()),
      far.on('error', () => near.destroy()),
    )
    near.pipe(far).pipe(near)
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const through = { ...rest, host: '127.0.0.1', port: (relay.address() as AddressInfo).port }
  const relayed = openChannels(through, pino({ level: 'silent' }))
  let gaps = 0
  const { ready } = relayed.hear('three', { payload: () => undefined, gap: () => (gaps += 1) })
  await ready
  // The sockets stay open, but no bytes pass any more.
  for (const line of lines) line.unpipe().pause()
  await until(() => gaps > 1)
  await relayed.stop()
  for (const line of lines) line.destroy()
  relay.close()
})

test('listening stops at any moment: while it connects, and when nothing answers', async () => {
  const silent = pino({ level: 'silent' })
  const connection = { connectionString: database.application.url }
  await openChannels(connection, silent).stop()

  // Accepts connections and never answers.
  const accepted: net.Socket[] = []
  const mute = net.createServer((socket) => accepted.push(socket.on('error', () => undefined)))
  mute.listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port } = mute.address() as AddressInfo
  const unanswered = openChannels({ host: '127.0.0.1', port, user: 'lodge' }, silent)
  await until(() => accepted.length === 1)
  await unanswered.stop()
  for (const socket of accepted) socket.destroy()
  mute.close()

  const listening = openChannels(connection, silent)
  const { ready } = listening.hear('four', { payload: () => undefined, gap: () => undefined })
  await ready
  await listening.stop()
  const { rows } = await database.pool.query(`select application_name as name ${LISTENERS}`)
  expect(rows.map(({ name }) => name)).not.toContain(`lodge-listen ${listening.instanceId}`)
})

test('an instance knows whether another one listens, over a single connection', async () => {
  await using lodge = await startLodge()
  const other = new pg.Client(lodge.database.application.url)
  await other.connect()
  const { rows } = await other.query<{ name: string }>(
    `select application_name as name ${LISTENERS}`,
  )
  expect(rows).toHaveLength(1)
  const { instanceId } = lodge.controlPlane.services.fleet
  expect(rows[0]?.name).toContain(instanceId)
  expect(await othersListen(lodge.database.application.pool, instanceId)).toBe(false)
  await using beside = await lodge.beside()
  expect(await othersListen(lodge.database.application.pool, instanceId)).toBe(true)
  expect(beside.controlPlane.services.fleet.instanceId).not.toBe(instanceId)
  await other.end()
})
