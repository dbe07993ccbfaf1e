import { randomBytes } from 'node:crypto'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findArchive } from './images/archive.ts'
import { buildParts } from './parts.ts'
import { BUSYBOX, makeBusyboxTar } from './testing/busybox.ts'
import { dockerdMissing } from './testing/dockerd.ts'
import { type DockerFixture, dockerFixture } from './testing/fixture.ts'

const missing = await dockerdMissing()
const none = () => {}
const life = new AbortController()
let fixture: DockerFixture
let archives: string
let tar: string

describe.skipIf(missing !== null)('an image that no server needs', () => {
  beforeAll(async () => {
    fixture = await dockerFixture()
    archives = join(fixture.options.dataRoot, '..', 'archives')
    await mkdir(archives, { recursive: true })
    tar = join(archives, 'root.tar')
    await makeBusyboxTar(tar)
  })
  afterAll(async () => {
    life.abort()
    await fixture.close()
  })

  const known = async () => {
    const docker = new Docker({ socketPath: fixture.options.socketPath })
    return (await docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? [])
  }
  const brought = async (names: readonly string[]) => {
    const parts = buildParts({
      ...fixture.options,
      dataRoot: join(fixture.options.dataRoot, 'collect'),
      labelScope: 'collect',
      archiveFolder: archives,
    })
    await Promise.all(
      names.map(async (name) => {
        await cp(tar, join(archives, name))
        // Each image has unique content.
        await writeFile(join(archives, `${name}.own`), randomBytes(1_000_000))
        const more = ['-C', archives, '-rf', join(archives, name), `${name}.own`]
        expect(await runProgram('tar', more)).toMatchObject({ code: 0 })
        await parts.images.ensure({ kind: 'archive', path: name }, none, life.signal)
      }),
    )
    return parts
  }

  it('is reported and removed on request, and no other image is', async () => {
    const parts = await brought(['used.tar', 'unused.tar'])
    const { kept } = parts.images
    const docker = new Docker({ socketPath: fixture.options.socketPath })
    const { tag } = await findArchive(archives, 'used.tar')
    const container = await docker.createContainer({ Image: tag, Cmd: ['sh'] })
    try {
      const before = await kept.report(life.signal)
      expect(before.unusedCount).toBeGreaterThanOrEqual(1)
      expect(before.unusedBytes).toBeGreaterThan(500_000)
      const { removed, freedBytes } = await kept.freeNow(life.signal)
      expect(removed).toBe(before.unusedCount)
      expect(freedBytes).toBe(before.unusedBytes)
      expect(await kept.report(life.signal)).toMatchObject({ unusedCount: 0, unusedBytes: 0 })
      expect(await known()).toEqual(expect.arrayContaining([tag, BUSYBOX]))
      expect(await known()).not.toContain((await findArchive(archives, 'unused.tar')).tag)
    } finally {
      await container.remove({ force: true })
    }
    // It can be pulled again.
    const again = { kind: 'archive', path: 'unused.tar' } as const
    await parts.images.ensure(again, none, life.signal)
    expect(await known()).toContain((await findArchive(archives, 'unused.tar')).tag)
  })

  it('is removed automatically two weeks after its last use', async () => {
    const parts = await brought(['old.tar'])
    const { tag } = await findArchive(archives, 'old.tar')
    const after = (days: number) =>
      parts.images.collect(life.signal, Date.now() + days * 86_400_000)
    await after(13)
    expect(await known()).toContain(tag)
    await after(15)
    expect(await known()).not.toContain(tag)
    expect(await known()).toContain(BUSYBOX)
  })
})

it(missing === null ? 'finds a Docker engine to test with' : `skipped: ${missing}`, () => {
  if (process.env.CI) expect(missing).toBeNull()
})
