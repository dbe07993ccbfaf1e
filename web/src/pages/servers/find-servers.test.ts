import type { Server } from '@lodge/shared/servers.ts'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { fuzzyScore } from '../../ui/dialogs/fuzzy.ts'
import findServers, { commandsFor, splitVerbs } from './find-servers.ts'

const server = {
  id: '0190a5c8-0000-7000-8000-000000000001',
  name: 'my-server',
  kind: 'container',
  status: 'running',
  nodeName: 'node-1',
  nodeOnline: true,
} as Server

test.each([
  ['stop my-server', true, 'my-server'],
  ['open console of my-server', true, 'my-server'],
  ['Restart the lobby of doom', true, 'lobby of doom'],
  ['my-server', false, 'my-server'],
  ['stop', true, ''],
])('“%s” names a verb: %s, and searches for “%s”', (text, verbs, name) => {
  expect(splitVerbs(text)).toEqual({ verbs, name })
})

test.each(['stop my-server', 'open console of my-server', 'my-server'])(
  '“%s” is answered by the command of that name first',
  (text) => {
    const [best] = commandsFor(new QueryClient(), server, 'Servers').toSorted(
      (a, b) => fuzzyScore(text, b.label) - fuzzyScore(text, a.label),
    )
    expect(best?.label.toLowerCase()).toBe(text)
  },
)

test('an action that is not possible now stays, with the reason', () => {
  const start = commandsFor(new QueryClient(), server, 'Servers').find(
    ({ label }) => label === 'Start my-server',
  )
  expect(start).toMatchObject({ disabledBecause: expect.stringMatching(/\w/) })
})

test('on a page of a server its commands are there before anything is typed', async () => {
  const client = new QueryClient()
  client.setQueryData(['GET /api/servers/{id}', { params: { id: server.id } }], server)
  const found = await findServers(client, '', `/servers/${server.id}/console`)
  expect(found.map(({ label }) => label)).toContain('Stop my-server')
  expect(await findServers(client, '', '/admin/nodes')).toEqual([])
})
