import type { Server } from '@lodge/shared/servers.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { composePanel } from '../panel/compose-panel.ts'
import { pages } from './index.ts'

const { patch: patchCache } = composePanel(pages).live

const server = (id: string, revision: number, name = id): Server => ({
  id,
  name,
  icon: null,
  tags: [],
  kind: 'container',
  ownerId: 'o',
  ownerEmail: 'o@example.org',
  templateId: 't',
  templateName: 'T',
  templateIcon: null,
  templateVersion: 1,
  templateOutdated: false,
  nodeId: 'n',
  nodeName: 'n1',
  nodeOnline: true,
  location: 'here',
  memoryMb: 64,
  cpuPercent: 10,
  diskMb: 64,
  address: null,
  port: null,
  status: 'running',
  observedState: 'running',
  observedAt: null,
  since: null,
  desiredPower: 'on',
  holds: [],
  restartRequired: false,
  restartAt: null,
  failure: null,
  lastExit: null,
  deleteAt: null,
  diskLimit: null,
  usage: null,
  revision,
  createdAt: '2026-01-01T00:00:00Z',
})

const LIST = ['GET /api/servers', { query: { q: 'a' } }]
const ONE = ['GET /api/servers/{id}', { params: { id: 'a' } }]
let client: QueryClient
const names = () => client.getQueryData<{ items: Server[] }>(LIST)?.items.map((row) => row.name)

beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(LIST, { items: [server('a', 5), server('b', 5)], nextCursor: null })
  client.setQueryData(ONE, server('a', 5))
})

describe('a server message', () => {
  test('leaves the folder of the person who reads it, which only their own mark changes', () => {
    const folder = () => client.getQueryData<{ folder: string | null }>(ONE)?.folder
    patchCache(client, {
      type: 'server-mark',
      data: { serverId: 'a', folder: 'Games', favourite: true },
    })
    expect(folder()).toBe('Games')
    patchCache(client, { type: 'server', data: server('a', 6, 'new') })
    expect(folder()).toBe('Games')
  })

  test('with a newer revision replaces the row in every list and on its own page', () => {
    patchCache(client, { type: 'server', data: server('a', 6, 'new') })
    expect(names()).toEqual(['new', 'b'])
    expect(client.getQueryData<Server>(ONE)?.name).toBe('new')
  })

  test('with the same or an older revision changes nothing', () => {
    patchCache(client, { type: 'server', data: server('a', 5, 'late') })
    patchCache(client, { type: 'server', data: server('a', 4, 'later') })
    expect(names()).toEqual(['a', 'b'])
  })

  test('about an unknown server invalidates a complete list', () => {
    patchCache(client, { type: 'server', data: server('c', 1) })
    expect(client.getQueryState(LIST)?.isInvalidated).toBe(true)
  })

  test('about an unknown server leaves one page of a longer list alone', () => {
    client.setQueryData(LIST, { items: [server('a', 5)], nextCursor: 'more' })
    patchCache(client, { type: 'server', data: server('c', 1) })
    expect(client.getQueryState(LIST)?.isInvalidated).toBe(false)
  })

  test('of a disconnected or reconnected node refetches the jobs, which wait for it', () => {
    const jobs = ['GET /api/jobs', { query: { limit: 25 } }]
    client.setQueryData(jobs, { items: [] })
    patchCache(client, { type: 'server', data: server('a', 6) })
    expect(client.getQueryState(jobs)?.isInvalidated).toBe(false)
    patchCache(client, { type: 'server', data: { ...server('a', 7), nodeOnline: false } })
    expect(client.getQueryState(jobs)?.isInvalidated).toBe(true)
  })

  test('refetches the history and the crash guard of its server, and of no other', () => {
    const historyOf = (id: string) => [
      'GET /api/servers/{id}/events',
      { params: { id }, query: { limit: 5 } },
    ]
    const guardOf = (id: string) => ['GET /api/servers/{id}/crash-policy', { params: { id } }]
    for (const id of ['a', 'b']) {
      client.setQueryData(historyOf(id), { items: [] })
      client.setQueryData(guardOf(id), { attemptsInWindow: 0 })
    }
    // An entry in the history does not change the server's revision.
    patchCache(client, { type: 'server', data: server('a', 5) })
    const stale = (key: unknown[]) => client.getQueryState(key)?.isInvalidated
    expect([stale(historyOf('a')), stale(guardOf('a'))]).toEqual([true, true])
    expect([stale(historyOf('b')), stale(guardOf('b'))]).toEqual([false, false])
  })
})

test('a sample becomes the usage of its server and keeps the last known disk size', () => {
  const sample = { serverId: 'a', at: '2026-01-01T00:00:01Z', cpuPercent: 12, memoryBytes: 34 }
  patchCache(client, { type: 'sample', data: { ...sample, diskBytes: 99 } })
  patchCache(client, { type: 'sample', data: sample })
  expect(client.getQueryData<Server>(ONE)?.usage).toMatchObject({
    cpuPercent: 12,
    memoryBytes: 34,
    diskBytes: 99,
  })
})

test('a removed server leaves the lists, and its own page asks for it again', () => {
  patchCache(client, { type: 'removed', data: { kind: 'server', id: 'a' } })
  expect(names()).toEqual(['b'])
  expect(client.getQueryState(ONE)?.isInvalidated).toBe(true)
})

test('a reset invalidates everything', () => {
  patchCache(client, { type: 'reset', data: null })
  expect(client.getQueryState(LIST)?.isInvalidated).toBe(true)
  expect(client.getQueryState(ONE)?.isInvalidated).toBe(true)
})
