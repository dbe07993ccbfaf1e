import type { Node } from '@lodge/shared/nodes.ts'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { type Me, meQuery } from '../../../session/session.ts'
import findNodes from './find-nodes.ts'

const node = { id: '0190a5c8-0000-7000-8000-000000000001', name: 'node-1', cordoned: false } as Node

async function labels(permissions: Me['permissions'], given: Partial<Node> = {}) {
  const client = new QueryClient()
  const me = { role: 'admin', superAdmin: false, permissions } as Me
  client.setQueryData<Me>(meQuery.queryKey, me)
  client.setQueryData(['GET /api/nodes/{id}', { params: { id: node.id } }], { ...node, ...given })
  const found = await findNodes(client, '', `/admin/nodes/${node.id}/metrics`)
  return found.map(({ label }) => label)
}

test('on the page of a node the palette opens its tabs, and cordons it for people who may', async () => {
  expect(await labels(['nodes.view'])).toEqual([
    'Open servers of node-1',
    'Open metrics of node-1',
    'Open checks of node-1',
    'Open agent log of node-1',
  ])
  expect((await labels(['nodes.view', 'nodes.manage']))[0]).toBe('Cordon node-1')
  expect((await labels(['nodes.view', 'nodes.manage'], { cordoned: true }))[0]).toBe(
    'Uncordon node-1',
  )
  expect(await labels([])).toEqual([])
})
