import { spawn } from 'node:child_process'
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { runProgram } from '@lodge/driver/run-program.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLoopDisk, fileSystemBytes, imageBytes } from './data/loop-disk.ts'
import { type ServerData, serverData } from './data/server-data.ts'
import { settingsOf } from './engine/options.ts'

const able = process.getuid?.() === 0 && existsSync('/usr/sbin/mkfs.ext4')
const MIB = 1024 * 1024
const [BEFORE_MB, AFTER_MB, FILES] = [160, 100, 18]
const PATIENCE = { timeout: 60_000, interval: 20 }

let root: string
let serverId: string
let data: ServerData
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lodge-resize-'))
  const { code } = await runProgram('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'resize', root])
  expect(code).toBe(0)
  serverId = randomUUID()
  data = serverData(settingsOf({ socketPath: '/nonexistent', dataRoot: root }))
})
afterEach(async () => {
  await data.remove(serverId)
  await vi.waitFor(
    async () => expect((await runProgram('umount', ['--', root])).code).toBe(0),
    PATIENCE,
  )
  await rm(root, { recursive: true, force: true })
})

const paths = () => data.paths(serverId)
const shrink = () => data.prepare(serverId, 200_001, AFTER_MB, false)

async function content(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(paths().data)).toSorted()
  const read = names.map(async (name) => {
    const bytes = await readFile(join(paths().data, name))
    return [name, hash('sha256', bytes)] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

/** A server with files all over its disk, of which many have to move. */
async function make() {
  await mkdir(paths().folder, { recursive: true })
  await writeFile(paths().group, '')
  await createLoopDisk(paths(), BEFORE_MB)
  for (let file = 0; file < FILES; file += 1)
    await writeFile(join(paths().data, `file-${file}`), randomBytes(8 * MIB), { flush: true })
  for (let file = 0; file < FILES; file += 2) await rm(join(paths().data, `file-${file}`))
  return await content()
}

async function expectShrunk(before: Awaited<ReturnType<typeof content>>): Promise<void> {
  // The kernel may let go of the disk a moment later.
  await vi.waitFor(async () => {
    expect(await shrink()).toMatchObject({ diskLimit: 'enforced' })
    expect(await fileSystemBytes(paths().diskImage)).toBeLessThanOrEqual(imageBytes(AFTER_MB))
  }, PATIENCE)
  expect(await content()).toEqual(before)
  expect((await readdir(paths().folder)).filter((name) => name.includes('undo'))).toEqual([])
}

/** The program that moves the files. */
async function mover(): Promise<number | null> {
  for (const pid of await readdir('/proc')) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (line.startsWith('resize2fs\0') && line.includes(paths().diskImage)) return Number(pid)
  }
  return null
}

/**
 * Kills an agent that shrinks the disk once so many bytes were overwritten, and stops the program
 * where it is. @returns its pid; null when it was faster
 */
async function killAgent(atBytes: number): Promise<number | null> {
  const script = join(import.meta.dirname, 'testing/shrink-killed.ts')
  const agent = spawn(process.execPath, [script, root, serverId, String(AFTER_MB)], {
    stdio: 'inherit',
  })
  const ended = once(agent, 'exit')
  const undo = `${paths().diskImage}.undo`
  while (agent.exitCode === null && ((await stat(undo).catch(() => null))?.size ?? 0) < atBytes)
    await setImmediate()
  const pid = await mover()
  if (pid !== null) process.kill(pid, 'SIGSTOP')
  else if (agent.exitCode) throw new Error(`the agent ended with ${agent.exitCode}`)
  agent.kill('SIGKILL')
  await ended
  return pid
}

describe.runIf(able)('a disk that shrinks', () => {
  test.each([
    ['has just begun', 16 * 1024, false],
    ['has moved files', 8 * MIB, false],
    ['has moved files, and whoever took that back was killed as well', 8 * MIB, true],
  ])(
    'loses nothing when the agent and the program are killed after it %s',
    async (_, bytes, twice) => {
      const { diskImage } = paths()
      let before = await make()
      let head = await headOf(diskImage)
      let pid = await killAgent(bytes)
      while (pid === null) {
        await data.remove(serverId)
        before = await make()
        head = await headOf(diskImage)
        pid = await killAgent(bytes)
      }
      // The program goes on without the agent that started it.
      await expect(shrink()).rejects.toMatchObject({ code: 'not_stopped', retryable: true })
      process.kill(pid, 'SIGKILL')
      if (twice) {
        await vi.waitFor(async () => expect(await mover()).toBeNull(), PATIENCE)
        await rename(`${diskImage}.undo`, `${diskImage}.undo-begun`)
        const image = await open(diskImage, 'r+')
        await image.write(head, 0, head.length, 0).finally(() => image.close())
      }
      await expectShrunk(before)
    },
  )

  test('is left as it was where the machine has no room for that, and shrinks once there is', async () => {
    const before = await make()
    const ballast = join(root, 'ballast')
    await runProgram('sync', ['-f', paths().data])
    const { bavail, bsize } = await statfs(root)
    await runProgram('fallocate', ['-l', String(bavail * bsize - 4 * MIB), ballast])
    const outcome = await shrink().catch((error: unknown) => error)
    expect(outcome).toMatchObject({
      code: 'disk_full',
      retryable: true,
      message: 'The disk of this machine is full.',
    })
    expect(await content()).toEqual(before)
    await rm(ballast)
    await expectShrunk(before)
  })
})

/** The first block, which has the superblock, once nothing else writes it. */
async function headOf(image: string): Promise<Buffer> {
  await runProgram('umount', ['--', paths().data])
  await runProgram('e2fsck', ['-f', '-p', image])
  const file = await open(image, 'r')
  const head = Buffer.alloc(4096)
  await file.read(head, 0, head.length, 0).finally(() => file.close())
  return head
}
