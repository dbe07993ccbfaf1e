import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { restic } from './restic.ts'

test.runIf(existsSync('/usr/bin/restic'))(
  'a storage that accepts connections but answers no request of restic does not block a backup for ever',
  async () => {
    const storage = http
      // Answers only the check whether it is there at all.
      .createServer((request, response) => request.url === '/' && response.end())
      .listen(0, '127.0.0.1')
    await once(storage, 'listening')
    const cacheFolder = await mkdtemp(path.join(tmpdir(), 'lodge-stalled-'))
    onTestFinished(async () => {
      storage.closeAllConnections()
      storage.close()
      await rm(cacheFolder, { recursive: true, force: true })
    })
    const location = {
      kind: 's3',
      endpoint: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`,
      ...{ bucket: 'backups', prefix: '', region: '' },
      ...{ accessKeyId: 'key', secretAccessKey: 'secret' },
    } as const
    const { signal } = new AbortController()
    const given = { signal, cacheFolder, stalledMs: 500 }
    await expect(
      restic({ recoveryKey: 'a recovery key', location }, ['cat', 'config'], given),
    ).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringContaining('has moved no data'),
    })
  },
)
