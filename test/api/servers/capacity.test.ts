import { expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { DOCUMENT, type Lodge, startLodge } from '../../support/stack.ts'

const SIZE = { memoryMb: 64, cpuPercent: 10, diskMb: 64 }

const create = (
  by: Caller,
  given: { ownerId: string; templateId: string; nodeId?: string; location?: string; port?: number },
) => by.call('POST /api/servers', { body: { name: 'One', ...SIZE, ...given } })

/**
 * Retries until the request is decided: on a busy machine, it may not get a database connection in
 * time.
 */
async function createInTheEnd(...of: Parameters<typeof create>) {
  let answer = await create(...of)
  while (answer.status === 503) {
    expect(answer.body).toMatchObject({ code: 'database_unavailable' })
    answer = await create(...of)
  }
  return answer
}

/** The node's recorded allocation, and the sum over its servers. */
async function accountOf(lodge: Lodge, nodeId: string) {
  const { rows } = await lodge.database.pool.query(
    `select n.allocated_memory_mb as memory, n.allocated_servers as servers,
       n.memory_mb - n.headroom_mb >= n.allocated_memory_mb and n.cpu_percent >= n.allocated_cpu_percent
         and n.disk_mb >= n.allocated_disk_mb as within,
       (select row(coalesce(sum(s.memory_mb), 0), coalesce(sum(s.cpu_percent), 0), coalesce(sum(s.disk_mb), 0), count(*))::text
        from servers s where s.node_id = n.id) as summed,
       row(n.allocated_memory_mb, n.allocated_cpu_percent, n.allocated_disk_mb, n.allocated_servers)::text as told,
       (select count(*) from server_ports p where p.node_id = n.id) as ports,
       (select count(distinct host_port) from server_ports p where p.node_id = n.id) as "distinctPorts"
     from nodes n where n.id = $1`,
    [nodeId],
  )
  return rows[0]
}

test('200 concurrent creations on two control planes never oversell a node or a port', async () => {
  await using lodge = await startLodge()
  await using beside = await lodge.beside()
  const admin = await lodge.admin()
  const there = beside.anonymous({ cookie: admin.cookie ?? '' })
  const owner = await lodge.customer()
  const template = await lodge.template()
  // One node runs out of memory first, the other one of ports.
  const ranges = [
    { from: 25_000, to: 25_040 },
    { from: 25_020, to: 25_050 },
  ]
  const [narrow, wide] = [
    await lodge.node({ memoryMb: 64 * 37 }),
    await lodge.node({ portRanges: ranges }),
  ]
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      createInTheEnd(at % 2 ? admin : there, {
        ownerId: owner.id,
        templateId: template.id,
        nodeId: at % 4 < 2 ? narrow.id : wide.id,
      }),
    ),
  )
  const statuses = Map.groupBy(answers, (answer) => answer.status)
  expect([...statuses.keys()].sort()).toEqual([202, 409])
  for (const answer of statuses.get(409) ?? [])
    expect(answer.body).toMatchObject({ code: 'no_capacity' })
  expect(statuses.get(202)).toHaveLength(37 + 51)
  for (const node of [narrow, wide]) {
    const account = await accountOf(lodge, node.id)
    expect(account).toMatchObject({ within: true, summed: account.told })
    expect(account.distinctPorts).toBe(account.ports)
  }
})

test('servers without a chosen node fill all nodes of a location completely', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const owner = await lodge.customer()
  const template = await lodge.template()
  const nodes = await Promise.all(
    [20, 13, 7].map((room) => lodge.node({ memoryMb: 64 * room, location: 'There' })),
  )
  await lodge.node({ location: 'Elsewhere' })
  const answers = await Promise.all(
    Array.from({ length: 60 }, () =>
      create(admin, { ownerId: owner.id, templateId: template.id, location: 'There' }),
    ),
  )
  expect(answers.filter((answer) => answer.status === 202)).toHaveLength(40)
  const rooms = await Promise.all(nodes.map((node) => accountOf(lodge, node.id)))
  expect(rooms.map((account) => account.servers)).toEqual([20, 13, 7])
})

test('growing and shrinking concurrently never oversells, and deleting releases everything', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const owner = await lodge.customer()
  const template = await lodge.template()
  const node = await lodge.node({ memoryMb: 64 * 12 })
  const agent = await lodge.standIn(node)
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      create(admin, { ownerId: owner.id, templateId: template.id, nodeId: node.id }),
    ),
  )
  const ids = made.map((answer) => answer.body.serverId)
  const resized = await Promise.all(
    Array.from({ length: 80 }, (_, at) =>
      admin.call('PATCH /api/servers/{id}', {
        params: { id: ids[at % 8] ?? '' },
        body: { memoryMb: 64 + ((at * 7) % 5) * 32 },
      }),
    ),
  )
  expect(new Set(resized.map((answer) => answer.status))).toEqual(new Set([200, 409]))
  const grown = await accountOf(lodge, node.id)
  expect(grown).toMatchObject({ within: true, summed: grown.told })

  const addPort = (container: number) =>
    admin.must('POST /api/servers/{id}/ports', {
      params: { id: ids[0] ?? '' },
      body: { container, protocol: 'udp' },
    })
  await Promise.all([7000, 7001, 7002].map(addPort))
  await Promise.all(ids.map((id) => admin.must('DELETE /api/servers/{id}', { params: { id } })))
  const left = async () => (await accountOf(lodge, node.id)).servers
  await expect.poll(left).toBe(0)
  expect(await accountOf(lodge, node.id)).toMatchObject({ memory: 0, told: '(0,0,0,0)', ports: 0 })
  for (const id of ids)
    expect((await admin.call('DELETE /api/servers/{id}', { params: { id } })).status).toBe(404)
  const { items } = await admin.must('GET /api/jobs', { query: { limit: 100 } })
  const deletions = items.filter((job) => job.kind === 'server.delete')
  expect(deletions.map((job) => job.state)).toEqual(Array(8).fill('done'))
  agent.close()
  expect((await admin.call('DELETE /api/nodes/{id}', { params: { id: node.id } })).status).toBe(204)
})

test('the same port is given to one of many who request it', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const owner = await lodge.customer()
  const template = await lodge.template()
  const node = await lodge.node()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      create(admin, { ownerId: owner.id, templateId: template.id, nodeId: node.id, port: 25_565 }),
    ),
  )
  expect(answers.filter((answer) => answer.status === 202)).toHaveLength(1)
  for (const answer of answers.filter((one) => one.status !== 202))
    expect(answer.body).toMatchObject({ code: 'port_unavailable' })
  expect((await accountOf(lodge, node.id)).servers).toBe(1)
})

test('every port of overlapping ranges is assigned once, also to servers with several', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const owner = await lodge.customer()
  const { runtime } = DOCUMENT
  const extraPorts = [
    { label: 'Query', protocol: 'udp' as const },
    { label: 'Remote', protocol: 'tcp' as const },
  ]
  const template = await lodge.template({ runtime: { ...runtime, extraPorts } })
  const node = await lodge.node({
    portRanges: [
      { from: 25_000, to: 25_010 },
      { from: 25_005, to: 25_020 },
      { from: 25_000, to: 25_020 },
    ],
  })
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      create(admin, { ownerId: owner.id, templateId: template.id, nodeId: node.id }),
    ),
  )
  expect(answers.filter((answer) => answer.status === 202)).toHaveLength(7)
  const account = await accountOf(lodge, node.id)
  expect([account.ports, account.distinctPorts]).toEqual([21, 21])
})
