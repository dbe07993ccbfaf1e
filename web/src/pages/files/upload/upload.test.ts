import { expect, test, vi } from 'vitest'
import { isTooLargeForProxy, partBytes, sendSmaller } from './part-size.ts'
import { Speed } from './speed.ts'
import { inOrder, type Transfer, type TransferState, totalsOf } from './transfer.ts'
import { continuing, fingerprintOf, unfinishedOf } from './unfinished.ts'

const file = (name: string, text: string) => new File([text], name, { lastModified: 1_000 })

test('the same file resumes at the path of an earlier visit', () => {
  const world = file('my world.zip', 'world')
  const key = `tus::${fingerprintOf('server-1', '/maps/my world.zip', world)}::4711`
  vi.stubGlobal('localStorage', { [key]: '{}', 'tus::other::1': '{}', theme: 'dark' })
  const unfinished = unfinishedOf('server-1')
  expect(unfinished).toEqual([{ key, path: '/maps/my world.zip', size: 5, modified: 1_000 }])
  expect(unfinishedOf('server-2')).toEqual([])
  expect(continuing(unfinished, [world, file('my world.zip', 'another one')])).toEqual([
    { file: world, path: '/maps/my world.zip' },
  ])
  vi.unstubAllGlobals()
})

test('uploads that need a decision come first, and the total covers all', () => {
  const one = (id: number, state: TransferState, sentBytes: number): Transfer => ({
    id,
    serverId: 's',
    file: file('a', '1234'),
    path: '/a',
    sentBytes,
    state,
    replace: false,
  })
  const all = [one(1, 'done', 4), one(2, 'sending', 1), one(3, 'conflict', 0), one(4, 'failed', 2)]
  expect(inOrder(all).map(({ id }) => id)).toEqual([3, 4, 2, 1])
  expect(totalsOf(all)).toMatchObject({ count: 4, done: 1, open: 1, sentBytes: 7, totalBytes: 16 })
})

test('speed is measured over the last seconds', () => {
  const speed = new Speed(4_000)
  speed.add(0, 0)
  expect(speed.bytesPerSecond).toBeUndefined()
  speed.add(1_000, 1_000)
  expect(speed.bytesPerSecond).toBe(1_000)
  speed.add(1_000, 5_000)
  expect(speed.bytesPerSecond).toBe(0)
})

test('after a refusal, parts shrink to what an unconfigured proxy accepts', () => {
  const answer = (status: number, type: string) => ({
    originalResponse: {
      getStatus: () => status,
      getHeader: () => type,
      getBody: () => '',
      getUnderlyingObject: () => undefined,
    },
  })
  expect(isTooLargeForProxy(answer(413, 'text/html'))).toBe(true)
  // The panel itself reports that a file is too large for the server.
  expect(isTooLargeForProxy(answer(413, 'application/problem+json'))).toBe(false)
  expect(isTooLargeForProxy(answer(502, 'text/html'))).toBe(false)
  const options = { chunkSize: partBytes(8 * 1024 * 1024) }
  expect(options.chunkSize).toBe(8 * 1024 * 1024)
  expect(sendSmaller(options)).toBe(true)
  expect(options.chunkSize).toBe(1024 * 1024)
  expect(partBytes(16 * 1024 * 1024)).toBe(1024 * 1024)
  expect(sendSmaller(options)).toBe(false)
})
