import { expect, test } from 'vitest'
import { startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

test('a created server is shown as running once its node reports it', async () => {
  await using lodge = await startLodge()
  const customer = await lodge.customer()
  const template = await lodge.template()
  const node = await lodge.node()
  const agent = await lodge.standIn(node)
  const serverId = await lodge.server({ ownerId: customer.id, templateId: template.id })
  await agent.heard(serverId)
  await expect
    .poll(
      async () =>
        (await customer.must('GET /api/servers/{id}', { params: { id: serverId } })).status,
    )
    .toBe('running')
})

test('the job of a stop is named after its effect: where nothing runs, it stops nothing', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const template = await lodge.template()
  const agent = await lodge.standIn(await lodge.node())
  const owner = await lodge.customer()
  const id = await lodge.server({ ownerId: owner.id, templateId: template.id })
  const params = { id }
  const shows = (wanted: string) =>
    until(async () => (await admin.must('GET /api/servers/{id}', { params })).status === wanted)
  const titleOf = async (action: 'start' | 'stop' | 'kill') => {
    const body = { action, confirm: true }
    const { jobId } = await admin.must('POST /api/servers/{id}/actions', { params, body })
    const { title, serverName } = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
    return title.replace(serverName ?? '', '{server}')
  }
  for (const action of ['stop', 'kill'] as const) {
    await shows('running')
    expect(await titleOf(action)).toBe(action === 'stop' ? 'Stop {server}' : 'Kill {server}')
    await shows('stopped')
    await titleOf('start')
    await shows('running')
    agent.tell(id, { state: 'crashed', restartAt: new Date(Date.now() + 60_000) })
    await shows('restarting')
    expect(await titleOf(action)).toBe('Cancel restart of {server}')
    await titleOf('start')
    await shows('running')
    agent.tell(id, { state: 'crashed', restartAt: undefined })
    await shows('crashed')
    expect(await titleOf(action)).toBe('Mark {server} as stopped')
    await titleOf('start')
  }
})
