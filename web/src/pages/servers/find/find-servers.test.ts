import type { Server } from '@lodge/shared/servers.ts'
import { ENGLISH, loadTranslations, speak } from '@lodge/shared/words/bind.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { fuzzyScore } from '../../../ui/dialogs/palette/fuzzy.ts'
import findServers, { commandsFor, splitVerbs } from './find-servers.ts'

const server = {
  id: '0190a5c8-0000-7000-8000-000000000001',
  name: 'my-server',
  kind: 'container',
  status: 'running',
  nodeName: 'node-1',
  nodeOnline: true,
  restartAt: null,
} as Server
const commands = (given: Partial<Server>) =>
  commandsFor(new QueryClient(), { ...server, ...given }, 'Servers')

afterEach(() => speak(ENGLISH))

test.each([
  ['stop my-server', true, 'my-server'],
  ['open console of my-server', true, 'my-server'],
  ['back up my-server', true, 'my-server'],
  ['Restart the lobby of doom', true, 'lobby of doom'],
  ['my-server console', true, 'my-server'],
  ['my-server', false, 'my-server'],
  ['stop', true, ''],
])('“%s” names a verb: %s, and searches for “%s”', (text, verbs, name) => {
  expect(splitVerbs(text)).toEqual({ verbs, name })
})

test.each([
  'stop my-server',
  'back up my-server',
  'move my-server',
  'open console of my-server',
  'my-server',
])('“%s” lists the command of that name first', (text) => {
  const [best] = commandsFor(new QueryClient(), server, 'Servers').toSorted(
    (a, b) => fuzzyScore(text, b.label) - fuzzyScore(text, a.label),
  )
  expect(best?.label.toLowerCase()).toBe(text)
})

test('an action that is not possible now stays, with the reason', () => {
  const start = commandsFor(new QueryClient(), server, 'Servers').find(
    ({ label }) => label === 'Start my-server',
  )
  expect(start).toMatchObject({ disabledBecause: expect.stringMatching(/\w/) })
})

test('a server that does not run offers what stopping means for it, and no kill', () => {
  const offered = (given: Partial<Server>) =>
    commands(given).filter((command) => 'run' in command && !command.disabledBecause)
  const down = offered({ status: 'crashed' })
  expect(down.map(({ label }) => label)).toEqual([
    'Start my-server',
    'Mark my-server as stopped',
    'Restart my-server',
    'Back up my-server',
  ])
  expect(down[1]).not.toHaveProperty('confirm')
  expect(down[1]?.keywords).toBe('Stop my-server')
  const restartAt = '2026-11-22T18:00:00.000Z'
  expect(offered({ status: 'restarting', restartAt }).map(({ label }) => label)).toEqual([
    'Start my-server',
    'Cancel restart of my-server',
    'Restart my-server',
    'Back up my-server',
  ])
})

test('on a page of a server its commands appear before anything is typed', async () => {
  const client = new QueryClient()
  client.setQueryData(['GET /api/servers/{id}', { params: { id: server.id } }], server)
  const found = await findServers(client, '', `/servers/${server.id}/console`)
  expect(found.map(({ label }) => label)).toContain('Stop my-server')
  expect(await findServers(client, '', '/admin/nodes')).toEqual([])
})

test('verbs follow the name in German, and English ones work too', async () => {
  await loadTranslations('de')
  speak('de')
  const known = ['Konsole von lobby öffnen', 'lobby neu starten', 'restart lobby', 'lobby']
  expect(known.map(splitVerbs)).toEqual([
    { verbs: true, name: 'lobby' },
    { verbs: true, name: 'lobby' },
    { verbs: true, name: 'lobby' },
    { verbs: false, name: 'lobby' },
  ])
  const labels = commands({ name: 'lobby' }).map(({ label }) => label)
  expect(labels).toContain('Konsole von lobby öffnen')
})

test('a machine has backups too', () => {
  const labels = commands({ kind: 'vm' }).map(({ label }) => label)
  expect(labels).toEqual(expect.arrayContaining(['Back up my-server', 'Open backups of my-server']))
})
