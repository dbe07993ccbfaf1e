import { once } from 'node:events'
import net from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LiveEvents } from '../../../control-plane/src/live/live-events.ts'
import type { Caller } from '../../support/caller.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import type { StandInAgent } from '../../support/stand-in-agent.ts'
import { openEvents, openEventsAfter, type StreamEvent } from '../support/event-stream.ts'

let lodge: Lodge
let admin: Caller
let node: JoinedNode
let agent: StandInAgent
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  templateId = (await lodge.template()).id
  node = await lodge.node()
  agent = await lodge.standIn(node)
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function serverOf(owner: Caller): Promise<string> {
  const serverId = await lodge.server({
    ownerId: owner.id,
    templateId,
    nodeId: node.id,
    start: false,
  })
  const state = async () =>
    (await admin.must('GET /api/servers/{id}', { params: { id: serverId } })).observedState
  await expect.poll(state).toBe('stopped')
  return serverId
}

const rename = (id: string, name: string) =>
  admin.must('PATCH /api/servers/{id}', { params: { id }, body: { name } })

const named = (name: string) => (event: StreamEvent) =>
  event.event === 'server' && (event.data as { name: string }).name === name

test('a change is announced immediately, and only to those who may see it', async () => {
  const [ann, bob] = [await lodge.customer(), await lodge.customer()]
  const [hers, his] = [await serverOf(ann), await serverOf(bob)]
  const streams = {
    ann: openEvents(lodge, ann),
    bob: openEvents(lodge, bob),
    blind: openEvents(lodge, await lodge.limitedAdmin([])),
    seeing: openEvents(lodge, await lodge.limitedAdmin(['servers.view'])),
  }
  const all = Object.values(streams)
  expect(await Promise.all(all.map((stream) => stream.opened))).toEqual([200, 200, 200, 200])
  await Promise.all(all.map((stream) => stream.next((event) => event.event === 'reset')))
  await rename(hers, 'hers')
  await rename(his, 'his')
  await Promise.all([
    streams.ann.next(named('hers')),
    streams.bob.next(named('his')),
    streams.seeing.next(named('hers')),
    streams.seeing.next(named('his')),
  ])
  const others = (stream: keyof typeof streams, id: string) =>
    streams[stream].events.filter((event) => JSON.stringify(event.data).includes(id))
  expect([others('ann', his), others('bob', hers), others('blind', his)]).toEqual([[], [], []])
  for (const stream of all) stream.close()
})

test('the stream of an administrator whose permissions change ends, and the next one uses the current ones', async () => {
  const other = await lodge.limitedAdmin(['servers.view'])
  const stream = openEvents(lodge, other)
  await stream.next((event) => event.event === 'reset')
  await admin.must('PUT /api/team/{id}/permissions', {
    params: { id: other.id },
    body: { permissions: ['nodes.view'] },
  })
  await stream.over
})

test('checks that a node reports in a heartbeat are announced immediately', async () => {
  const stream = openEvents(lodge, admin)
  await stream.next((event) => event.event === 'reset')
  agent.beat(undefined, [{ id: 'kvm', state: 'ok', summary: 'KVM works', remedy: '' }])
  const told = await stream.next(
    (event) => event.event === 'node' && JSON.stringify(event.data).includes('KVM works'),
  )
  expect(told.data).toMatchObject({ id: node.id, preflight: [{ id: 'kvm', state: 'ok' }] })
  stream.close()
})

test('checks that a node reports while its row is locked are announced with its next heartbeat', async () => {
  const stream = openEvents(lodge, admin)
  await stream.next((event) => event.event === 'reset')
  const locking = await lodge.database.pool.connect()
  await locking.query('begin')
  await locking.query('select from nodes where id = $1 for no key update', [node.id])
  const told = agent.beat(undefined, [
    { id: 'kvm', state: 'failed', summary: 'KVM is gone', remedy: '' },
  ])
  await agent.line?.next('heartbeatAck', ({ sequence }) => sequence >= told)
  await locking.query('rollback')
  locking.release()
  agent.beat()
  const { data } = await stream.next((event) => JSON.stringify(event.data).includes('KVM is gone'))
  expect(data).toMatchObject({ id: node.id, preflight: [{ id: 'kvm', state: 'failed' }] })
  stream.close()
})

test('a reconnecting client receives what it missed: nothing twice, nothing left out', async () => {
  const ann = await lodge.customer()
  const id = await serverOf(ann)
  let stream = openEvents(lodge, ann)
  await stream.next((event) => event.event === 'reset')
  const received: string[] = []
  const revisions: number[] = []
  for (let round = 0; round < 5; round++) {
    await rename(id, `heard ${round}`)
    const last = await stream.next(named(`heard ${round}`))
    revisions.push((last.data as { revision: number }).revision)
    received.push(...stream.events.filter(named(`heard ${round}`)).map((event) => event.id))
    stream.close()
    await stream.over
    // Changes made while disconnected are replayed afterwards.
    await rename(id, `missed ${round}`)
    stream = openEvents(lodge, ann, last.id)
    const missed = await stream.next(named(`missed ${round}`))
    received.push(missed.id)
    revisions.push((missed.data as { revision: number }).revision)
    expect(stream.events.filter((event) => event.event === 'reset')).toEqual([])
  }
  stream.close()
  expect(new Set(received).size).toBe(received.length)
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
})

test('a page that sends the stream position from before it loaded receives the events since, and need not reload', async () => {
  const ann = await lodge.customer()
  const id = await serverOf(ann)
  const { liveEventId } = await ann.must('GET /api/auth/me')
  await rename(id, 'between loading and listening')
  const stream = openEventsAfter(lodge, ann, liveEventId)
  await stream.next(named('between loading and listening'))
  expect(stream.events.filter((event) => event.event === 'reset')).toEqual([])
  stream.close()
})

test('a client that names an unknown event reloads everything', async () => {
  const ann = await lodge.customer()
  for (const id of ['', 'x', `${crypto.randomUUID()}-1`, '-1', '9'.repeat(400), 'a\tb']) {
    const stream = openEvents(lodge, ann, id)
    await stream.next((event) => event.event === 'reset')
    stream.close()
  }
})

test('a change made through one control plane is announced by the other', async () => {
  await using beside = await lodge.beside()
  const ann = await lodge.customer()
  const id = await serverOf(ann)
  const stream = openEvents(beside, ann)
  await stream.next((event) => event.event === 'reset')
  await rename(id, 'from afar')
  await stream.next(named('from afar'))
  // Its node adopts the new name first, and then reports that it is stopped.
  await agent.heard(id, 2)
  agent.tell(id, { state: 'crashed' })
  await stream.next(
    (event) => (event.data as { observedState?: string }).observedState === 'crashed',
  )
  stream.close()
})

test('a lost connection to PostgreSQL makes open panels reload', async () => {
  const ann = await lodge.customer()
  const stream = openEvents(lodge, ann)
  await stream.next((event) => event.event === 'reset')
  const resets = () => stream.events.filter((event) => event.event === 'reset').length
  const before = resets()
  await lodge.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name like 'lodge-listen %' and datname = current_database()`,
  )
  await expect.poll(resets).toBeGreaterThan(before)
  const id = await serverOf(ann)
  await rename(id, 'after the break')
  await stream.next(named('after the break'))
  stream.close()
})

test('an HTTP/1.0 client, such as some proxies, receives the stream unchunked', async () => {
  const ann = await lodge.customer()
  const id = await serverOf(ann)
  const socket = net.connect(lodge.controlPlane.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(`GET /api/events HTTP/1.0\r\ncookie: panel_session=${ann.cookie}\r\n\r\n`)
  await expect.poll(() => text).toContain('event: reset')
  await rename(id, 'For old readers')
  await expect.poll(() => text).toContain('For old readers')
  const [, body = ''] = text.split('\r\n\r\n')
  for (const line of body.split('\n'))
    expect(line).toMatch(/^(id: .*|event: .*|data: .*|retry: .*|: ping)?$/)
  socket.destroy()
})

test('a client that leaves while it is authorised leaves no stream behind', async () => {
  const ann = await lodge.customer()
  const { live } = lodge.controlPlane.services
  await expect.poll(() => live.viewers).toBe(0)
  const locking = await lodge.database.pool.connect()
  await locking.query('begin')
  await locking.query('lock table sessions in access exclusive mode')
  const waiting = async () =>
    (
      await locking.query<{ count: number }>(
        `select count(*)::int as count from pg_locks
         where relation = 'sessions'::regclass and not granted`,
      )
    ).rows[0]?.count
  const socket = net.connect(lodge.controlPlane.port, '127.0.0.1')
  socket.write(
    `GET /api/events HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: panel_session=${ann.cookie}\r\n\r\n`,
  )
  await expect.poll(waiting).toBeGreaterThan(0)
  // The panel hangs up, too, once it has noticed.
  socket.resume().end()
  await once(socket, 'close')
  const next = openEvents(lodge, ann)
  await expect.poll(waiting).toBeGreaterThan(1)
  await locking.query('rollback')
  locking.release()
  await next.next((event) => event.event === 'reset')
  next.close()
  await expect.poll(() => live.viewers).toBe(0)
})

test('an instance that stops loads no more changes, since its database is closing', async () => {
  const loaded: string[] = []
  const live = new LiveEvents(lodge.controlPlane.services.db, pino({ level: 'silent' }))
  const load = async (_db: unknown, ids: readonly string[]) => {
    loaded.push(...ids)
    return []
  }
  live.register({ server: { load } })
  live.heard({ kind: 'server', id: 'first' })
  await expect.poll(() => loaded).toEqual(['first'])
  live.heard({ kind: 'server', id: 'second' })
  live.stop()
  live.heard({ kind: 'server', id: 'third' })
  // A load would have happened by now: timers of the same time run in order.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(loaded).toEqual(['first'])
})

test('an earlier state never arrives after a later one, however long loading it takes', async () => {
  const live = new LiveEvents(lodge.controlPlane.services.db, pino({ level: 'silent' }))
  const slow = Promise.withResolvers<void>()
  let state = 'waiting'
  const load = async () => {
    const data = state
    if (data === 'waiting') await slow.promise
    return [{ event: 'server', data, audience: { everyone: true } as const }]
  }
  live.register({ server: { load } })
  const heard: unknown[] = []
  const nobody = { permissions: new Set<never>(), superAdmin: false, provedAt: null }
  live.subscribe(
    {
      ...nobody,
      kind: 'user',
      id: admin.id,
      email: '',
      address: '',
      sessionId: '',
      role: 'customer',
    },
    undefined,
    ({ event, data }) => void (event === 'server' && heard.push(data)),
  )
  const change = { kind: 'server', id: 'one' } as const
  live.heard(change)
  // It is loaded as it was.
  await new Promise((resolve) => setTimeout(resolve, 50))
  state = 'done'
  live.heard(change)
  await new Promise((resolve) => setTimeout(resolve, 50))
  slow.resolve()
  await expect.poll(() => heard).toEqual(['waiting', 'done'])
  live.stop()
})
