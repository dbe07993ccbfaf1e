import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tryPlugin } from '../sdk/testing.ts'
import plugin from './main.ts'

const manifest: unknown = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'lodge-plugin.json'), 'utf8'),
)
const SERVER = '11111111-1111-4111-8111-111111111111'

/** The plugin on a panel whose server has an owner, with the notes that it wrote. */
async function world(settings = {}, status = 201) {
  const notes: { content: string; key: string | undefined }[] = []
  const { call } = await tryPlugin(plugin, {
    ...{ manifest, settings },
    api(request, { body, key }) {
      if (request.startsWith('GET /api/servers?')) return { status: 200, body: { items: [] } }
      if (request === `GET /api/servers/${SERVER}`) return { status: 200, body: { ownerId: 'ann' } }
      if (request !== 'POST /api/customers/ann/notes') return { status: 404, body: {} }
      if (status < 400) notes.push({ content: (body as { content: string }).content, key })
      return { status, body: { detail: 'Not now' } }
    },
  })
  const crash = (id: number, hour: number, serverId = SERVER) =>
    call('event.happened', {
      ...{ id: `00000000-0000-4000-8000-00000000000${id}`, type: 'server.gave_up' },
      happenedAt: new Date(Date.UTC(2026, 10, 23, hour)).toISOString(),
      data: { serverId, serverName: 'lobby', reason: 'out of memory' },
    })
  return { call, crash, notes }
}

test('writes one note once a server gave up often enough, and starts counting again', async () => {
  const { call, crash, notes } = await world()
  expect(await call('plugin.health')).toMatchObject({ ok: true })
  for (const [id, hour] of [
    [1, 0],
    [2, 1],
    [2, 1],
  ] as const)
    await crash(id, hour)
  expect(notes).toEqual([])
  await crash(3, 2)
  await crash(4, 3)
  expect(notes).toEqual([
    {
      content: expect.stringMatching(/^lobby .* 3 times .* out of memory$/),
      key: expect.any(String),
    },
  ])
})

test('ignores old crashes and those of deleted servers', async () => {
  const { crash, notes } = await world({ times: 2, hours: 2 })
  await crash(1, 0)
  await crash(2, 3)
  expect(notes).toEqual([])
  const gone = '22222222-2222-4222-8222-222222222222'
  await crash(3, 0, gone)
  await crash(4, 1, gone)
  expect(notes).toEqual([])
})

test('an event that the panel refuses is delivered again', async () => {
  const { crash } = await world({ times: 1 }, 403)
  await expect(crash(1, 0)).rejects.toThrow('403: Not now')
})
