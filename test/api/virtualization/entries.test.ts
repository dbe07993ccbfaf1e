import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { LINUX, machineNode, natNetwork, readyMedium } from '../../support/vm-world.ts'

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())

describe('catalogue entries', () => {
  test('are deleted when no machine uses them; built-in hardware stays', async () => {
    const mediumId = await readyMedium(lodge, 'iso')
    const network = await natNetwork(lodge)
    const { profiles } = await admin.must('GET /api/virtualization/catalogue')
    const linux = profiles.find(({ id }) => id === LINUX)
    const profile = await admin.must('POST /api/virtualization/profiles', {
      body: { name: 'to be deleted', hardware: linux!.hardware },
    })
    for (const [what, id] of [
      ['media', mediumId],
      ['networks', network.id],
      ['profiles', profile.id],
    ] as const) {
      const endpoint = `DELETE /api/virtualization/${what}/{id}` as const
      expect((await admin.call(endpoint, { params: { id } })).status, what).toBe(204)
      expect((await admin.call(endpoint, { params: { id } })).status, what).toBe(404)
    }
    const builtIn = await admin.call('DELETE /api/virtualization/profiles/{id}', {
      params: { id: LINUX },
    })
    expect([builtIn.status, builtIn.body]).toMatchObject([409, { code: 'invalid_state' }])
  })

  test('that a machine uses are refused with its name, and an image larger than the node’s disk immediately', async () => {
    const { node, agent } = await machineNode(lodge)
    await using _agent = agent
    const network = await natNetwork(lodge)
    const create = (mediumId: string, diskMb: number) =>
      admin.call('POST /api/servers', {
        body: {
          name: 'the user',
          ownerId: admin.id,
          templateId: LINUX,
          nodeId: node.id,
          diskMb,
          force: true,
          vm: { networkId: network.id, source: { kind: 'iso', mediumId } },
          start: false,
        },
      })
    const made = await create(await readyMedium(lodge, 'iso'), 1024)
    expect(made.status).toBe(202)
    for (const [what, id] of [
      ['networks', network.id],
      ['profiles', LINUX],
    ] as const) {
      const answer = await admin.call(`DELETE /api/virtualization/${what}/{id}` as const, {
        params: { id },
      })
      expect(answer.status, what).toBe(409)
      if (what === 'networks') expect(JSON.stringify(answer.body)).toContain('the user')
    }
    const huge = await readyMedium(lodge, 'qcow2')
    await lodge.database.pool.query(
      'update vm_media set virtual_size_mb = 1073741824 where id = $1',
      [huge],
    )
    const answer = await admin.call('POST /api/servers', {
      body: {
        name: 'too large',
        ownerId: admin.id,
        templateId: LINUX,
        nodeId: node.id,
        diskMb: 1_073_741_824,
        force: true,
        vm: {
          networkId: network.id,
          source: { kind: 'image', mediumId: huge, seed: { password: 'a first password' } },
        },
      },
    })
    expect(answer.status).toBe(409)
    expect(JSON.stringify(answer.body)).toContain('describes a disk of 1024 TiB')
  })
})
