import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { OpenRepository } from '@lodge/driver/backup-store.ts'
import type { Progress } from '@lodge/driver/driver.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readBack } from './read-back.ts'
import { repositoryFolder } from './restic.ts'
import { resticStore } from './restic-store.ts'

const able =
  existsSync('/usr/bin/restic') && existsSync('/usr/bin/bwrap') && process.getuid?.() === 0
const { signal } = new AbortController()

test.runIf(able)(
  'a backup is read back as long as each of its bytes is what was written',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'lodge-read-back-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const folder = join(root, 'data')
    await mkdir(folder)
    await writeFile(join(folder, 'world'), randomBytes(300_000))
    await mkdir(join(folder, 'deep/deeper'), { recursive: true })
    await writeFile(join(folder, 'deep/deeper/small'), 'small')
    const repository: OpenRepository = {
      id: randomUUID(),
      password: randomBytes(24).toString('base64url'),
      location: { kind: 'node' },
    }
    const store = await resticStore(join(root, 'backups'))
    const { snapshotId, sizeBytes } = await store.create(
      {
        ...{ repository, backupId: randomUUID(), folder },
        ...{ changing: false, takenWhileRunning: () => false },
      },
      () => undefined,
      signal,
    )
    const told: Progress[] = []
    const read = () =>
      readBack(store, { repository, snapshotId, sizeBytes }, (one) => told.push(one), signal)
    await read()
    expect(told[0]).toMatchObject({ step: 'verify', percent: 0 })
    const packs = join(repositoryFolder(join(root, 'backups'), repository.id), 'data')
    const entries = await readdir(packs, { recursive: true, withFileTypes: true })
    const packed = entries.filter((one) => one.isFile())
    // Files, and lists of what is in folders.
    expect(packed).toHaveLength(2)
    for (const entry of packed) {
      const pack = join(entry.parentPath, entry.name)
      const whole = await readFile(pack)
      const damaged = Buffer.from(whole)
      damaged[20] = (damaged[20] ?? 0) ^ 1
      await chmod(pack, 0o600)
      await writeFile(pack, damaged)
      await expect(read(), entry.name).rejects.toMatchObject({ code: 'copy_damaged' })
      await writeFile(pack, whole)
    }
    // Its disk is away, which is no damage.
    const kept = repositoryFolder(join(root, 'backups'), repository.id)
    await rename(kept, `${kept}.away`)
    await expect(read()).rejects.toMatchObject({ code: 'runtime_unavailable', retryable: true })
    await rm(kept, { recursive: true })
    await rename(`${kept}.away`, kept)
    await read()
  },
)

test('reading ends when nothing arrives any more', async () => {
  const repository: OpenRepository = { id: randomUUID(), password: '', location: { kind: 'node' } }
  const archive = new Readable({ read: () => undefined })
  archive.push('the beginning')
  const given = { repository, snapshotId: '', sizeBytes: 100, stalledMs: 20 }
  const reading = readBack({ archive: async () => archive }, given, () => undefined, signal)
  await expect(reading).rejects.toMatchObject({ code: 'runtime_unavailable', retryable: true })
  expect(archive.destroyed).toBe(true)
})
