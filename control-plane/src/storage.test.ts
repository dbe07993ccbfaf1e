import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../test/support/caller.ts'
import { type Lodge, startLodge } from '../../test/support/stack.ts'
import { until } from '../../test/support/until.ts'

const run = promisify(execFile)

describe.runIf(process.getuid?.() === 0)('on a small disk of its own', () => {
  let folder: string
  let disk: string
  let lodge: Lodge
  let admin: Caller
  let logged = ''

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-disk-'))
    await chmod(folder, 0o755)
    disk = path.join(folder, 'disk')
    await mkdir(disk)
    const image = path.join(folder, 'image')
    await run('truncate', ['-s', '512M', image])
    await run('mkfs.ext4', ['-q', image])
    await run('mount', ['-o', 'loop', image, disk])
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += chunk
        done()
      },
    })
    lodge = await startLodge({
      environment: {
        DATABASE_URL: '',
        LODGE_APPLICATION_DATABASE_URL: '',
        LODGE_DATA: path.join(disk, 'data'),
      },
      log: pino({ level: 'warn' }, sink),
    })
    admin = await lodge.admin()
  })
  afterAll(async () => {
    await lodge?.[Symbol.asyncDispose]()
    await run('umount', [disk])
    await rm(folder, { recursive: true, force: true })
  })

  /**
   * Takes so much of the space available to others than root that this share is in use, as df
   * computes it.
   */
  async function fill(name: string, share: number): Promise<void> {
    const { blocks, bfree, bavail, bsize } = await statfs(disk)
    const used = blocks - bfree
    const wanted = Math.ceil(((used + bavail) * share - used) * bsize)
    await run('fallocate', ['-l', String(wanted), path.join(disk, name)])
  }

  const kinds = async () =>
    (await admin.must('GET /api/overview')).attention.map(({ kind }) => kind)
  const ready = async () => {
    const answer = await fetch(`${lodge.url}/ready`)
    return { status: answer.status, ...(await answer.json()) }
  }
  /** A change that does not fit into the space that the database has already reserved. */
  const change = () =>
    admin.call('POST /api/nodes', {
      body: {
        name: crypto.randomUUID(),
        location: 'Here',
        memoryMb: 1024,
        cpuPercent: 100,
        diskMb: 1024,
        portRanges: [{ from: 26_000, to: 26_010 }],
      },
    })

  test('a disk 90 % full raises a warning in the overview and in the log', async () => {
    expect(await kinds()).toEqual([])
    await fill('nearly', 0.93)
    await until(() => logged.includes('storage_nearly_full'))
    expect(await kinds()).toEqual(['storage_nearly_full'])
    expect(await ready()).toEqual({ status: 200, ready: true, reasons: [] })
    expect((await change()).status).toBe(201)
  })

  test('a full disk is reported as such, and everything resumes once there is room', async () => {
    await fill('full', 1)
    const { body } = await until(async () => {
      const answer = await change()
      return answer.status === 507 && answer
    })
    expect(body).toMatchObject({ code: 'storage_full', type: '/problems/storage_full' })
    const { reasons } = await until(async () => {
      const answer = await ready()
      return answer.status === 503 && answer
    })
    expect(reasons[0]).toMatch(/^The disk of the control plane is full: \d+ MiB are left for /)
    await until(() => logged.includes('"code":"storage_full","msg":"The disk of the control plane'))
    expect(logged).not.toContain('database not available')

    await rm(path.join(disk, 'full'))
    await rm(path.join(disk, 'nearly'))
    await until(async () => (await change()).status === 201)
    await until(async () => (await ready()).status === 200)
    await until(() => logged.includes('has room again'))
  })
})
