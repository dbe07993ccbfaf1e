import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenRepository } from '@lodge/driver/backup-store.ts'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { resticIn } from './restic.ts'
import { watchRepository } from './watch-storage.ts'

const able =
  existsSync('/usr/bin/restic') && existsSync('/usr/bin/bwrap') && process.getuid?.() === 0
const AWAY = { code: 'runtime_unavailable', retryable: true }
const open: http.Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) close(server)
})

function close(server: http.Server): void {
  server.closeAllConnections()
  server.close()
}

/** A storage that refuses everybody, which is an answer too; or answers only who looks for it. */
async function storage({ hangs = false } = {}) {
  let asked = 0
  const server = http.createServer((request, response) => {
    asked += 1
    if (!hangs || request.method === 'HEAD') response.writeHead(403).end()
  })
  open.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const repository: OpenRepository = {
    id: randomUUID(),
    password: 'password of a repository',
    location: {
      kind: 's3',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      bucket: 'backups',
      folder: 'one',
      region: '',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    },
  }
  return { repository, end: () => close(server), asked: () => asked }
}

test('work on a bucket ends when its storage stops answering, and not before', async () => {
  const { repository, end, asked } = await storage()
  const watch = await watchRepository(repository, new AbortController().signal, 10)
  await expect.poll(asked).toBeGreaterThan(5)
  expect(watch.signal.aborted).toBe(false)
  end()
  await expect.poll(() => watch.signal.aborted).toBe(true)
  expect(watch.signal.reason).toMatchObject(AWAY)
  watch.stop()
  await expect(watchRepository(repository, new AbortController().signal)).rejects.toMatchObject(
    AWAY,
  )
})

test('a cancelled one ends for its own reason', async () => {
  const { repository } = await storage()
  const cancelled = new AbortController()
  const watch = await watchRepository(repository, cancelled.signal, 10)
  cancelled.abort(new Error('cancelled'))
  expect(watch.signal.reason).toMatchObject({ message: 'cancelled' })
  watch.stop()
})

test.runIf(able)('restic ends with a storage that answers, and moves no data', async () => {
  const { repository } = await storage({ hangs: true })
  const root = await mkdtemp(join(tmpdir(), 'lodge-stalled-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const restic = resticIn({ root, program: '/usr/bin/restic', stalledMs: 500 })
  const { signal } = new AbortController()
  await expect(restic.run(repository, ['init'], { signal })).rejects.toMatchObject({
    ...AWAY,
    message: 'The storage of the backups moves no data.',
  })
})
