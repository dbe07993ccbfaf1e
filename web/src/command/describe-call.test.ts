import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../api.ts'
import { describeCall } from './describe-call.ts'

afterEach(() => vi.unstubAllGlobals())

test('an action is described by the call that it would make, and nothing is sent', async () => {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url)
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  })
  const params = { id: '0190a5c8-0000-7000-8000-000000000001' }
  const stop = async () => {
    await api('GET /api/servers/{id}', { params })
    await api('POST /api/servers/{id}/actions', { params, body: { action: 'stop' } })
  }
  expect(await describeCall(stop)).toEqual({
    key: 'POST /api/servers/{id}/actions',
    url: `/api/servers/${params.id}/actions`,
    body: { action: 'stop' },
  })
  expect(sent).toEqual([`/api/servers/${params.id}`])
  await stop()
  expect(sent).toHaveLength(3)
})

test('an action that fails before its call reports why', async () => {
  await expect(describeCall(() => Promise.reject(new Error('no passkey')))).rejects.toThrow(
    'no passkey',
  )
})
