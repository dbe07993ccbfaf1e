import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pathsIn } from './data/layout.ts'
import { makeLoopDisk } from './data/loop-disk.ts'
import { type ServerData, serverData } from './data/server-data.ts'
import { settingsOf } from './engine/options.ts'
import { killedAt } from './testing/killed-at.ts'

const able = process.getuid?.() === 0 && existsSync('/usr/sbin/mkfs.ext4')
const { signal } = new AbortController()
const UID = 5_123
const MIB = 1024 * 1024
const DISK_BYTES = 32 * MIB

let root: string
let serverId: string
let data: ServerData
const folder = () => data.paths(serverId).data
const open = (): ServerData =>
  serverData(settingsOf({ socketPath: '/nonexistent', dataRoot: root }))

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lodge-exchange-'))
  serverId = randomUUID()
  data = open()
})
afterEach(async () => {
  await data.remove(serverId)
  await rm(root, { recursive: true, force: true })
})

/** A server with data, whose disk is enforced or only measured. */
async function make(disk: 'enforced' | 'measured'): Promise<void> {
  const own = data.paths(serverId)
  await mkdir(own.folder, { recursive: true })
  await writeFile(own.group, '')
  if (disk === 'enforced') await makeLoopDisk(own, DISK_BYTES)
  else await mkdir(own.data)
  await chown(own.data, UID, UID)
  await writeFile(join(own.data, 'world'), 'former')
}
async function stage(
  restoreId: string,
  text = 'restored',
  ignored: readonly string[] = [],
): Promise<string> {
  const staged = await data.exchange.stage(serverId, restoreId, 1_000, signal)
  await writeFile(join(staged, 'world'), text)
  await data.exchange.complete(serverId, restoreId, signal, ignored)
  return staged
}
const world = async () => {
  await data.mount(serverId)
  return readFile(join(folder(), 'world'), 'utf8')
}

describe.runIf(able).each(['measured', 'enforced'] as const)('data whose limit is %s', (disk) => {
  test('are exchanged, taken back and settled', async () => {
    await make(disk)
    const restoreId = randomUUID()
    await stage(restoreId)
    expect(await world()).toBe('former')
    await data.exchange.swap(serverId, restoreId)
    expect(await world()).toBe('restored')
    const { uid, mode } = await stat(folder())
    expect([uid, mode & 0o777]).toEqual([UID, 0o755])
    expect((await stat(join(folder(), 'world'))).uid).toBe(UID)
    await data.exchange.swapBack(serverId, restoreId)
    expect(await world()).toBe('former')
    await data.exchange.settle(serverId, restoreId)
    const { folder: own, group, data: kept, diskImage } = data.paths(serverId)
    const names = [group, kept, ...(disk === 'enforced' ? [diskImage] : [])]
    expect((await readdir(own)).map((name) => join(own, name)).toSorted()).toEqual(names.toSorted())
  })

  test('are whole, the former or the restored, wherever the agent is killed', async () => {
    await make(disk)
    const seen = { former: 0, restored: 0 }
    let points = 0
    // Mounting takes long, so not every point is tried with a disk.
    for (let finished = false; !finished; points += disk === 'enforced' ? 4 : 1) {
      const restoreId = randomUUID()
      await stage(restoreId)
      finished = await killedAt(points, { root, serverId, restoreId, part: 'swap' })
      // The next agent knows only what is on the disk.
      data = open()
      const found = await world()
      expect(['former', 'restored'], `killed at ${points}`).toContain(found)
      seen[found === 'former' ? 'former' : 'restored'] += 1
      await data.exchange.swapBack(serverId, restoreId)
      expect(await world(), `killed at ${points}`).toBe('former')
      await data.exchange.settle(serverId, restoreId)
    }
    expect(points).toBeGreaterThan(20)
    expect(seen.former).toBeGreaterThan(2)
    expect(seen.restored).toBeGreaterThan(2)
  })

  test('are put back path by path, never outside of the server', async () => {
    await make(disk)
    const outside = join(root, 'outside')
    await mkdir(outside)
    await symlink(outside, join(folder(), 'escape'))
    const restoreId = randomUUID()
    const staged = await data.exchange.stage(serverId, restoreId, 1_000, signal)
    await mkdir(join(staged, 'mods/deep'), { recursive: true })
    await mkdir(join(staged, 'escape'))
    await writeFile(join(staged, 'mods/deep/one'), 'one', { mode: 0 })
    await writeFile(join(staged, 'escape/file'), 'escaped')
    await data.exchange.complete(serverId, restoreId, signal)
    const put = (path: string, into: string | null = null) =>
      data.exchange.put(serverId, restoreId, { paths: [path], into, keep: null }, signal)
    await put('/mods/deep/one')
    await put('/mods', '/old')
    for (const path of ['mods', 'mods/deep/one', 'old', 'old/mods/deep/one'])
      expect((await stat(join(folder(), path))).uid, path).toBe(UID)
    await expect(put('/escape/file')).rejects.toMatchObject({ code: 'copy_damaged' })
    await expect(put('/none')).rejects.toMatchObject({ code: 'not_found' })
    expect(await readdir(outside)).toEqual([])
    expect(await world()).toBe('former')
    await data.exchange.settle(serverId, restoreId)
  })

  test('keep what restored files replace, and no other, in a folder of the server', async () => {
    await make(disk)
    const outside = join(root, 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'file'), 'outside')
    await mkdir(join(folder(), 'mods/deep'), { recursive: true })
    for (const name of ['one', 'deep/two\nlines', 'other'])
      await writeFile(join(folder(), 'mods', name), `old ${name}`)
    await symlink('other', join(folder(), 'mods/link'))
    await symlink('other', join(folder(), 'mods/way'))
    await symlink(outside, join(folder(), 'escape'))
    const restoreId = randomUUID()
    const staged = await data.exchange.stage(serverId, restoreId, 1_000, signal)
    await mkdir(join(staged, 'mods/deep'), { recursive: true })
    await mkdir(join(staged, 'escape'))
    for (const name of ['one', 'deep/two\nlines', 'link', 'way', 'added'])
      await writeFile(join(staged, 'mods', name), `new ${name}`)
    await writeFile(join(staged, 'world'), 'restored')
    await writeFile(join(staged, 'escape/file'), 'escaped')
    await data.exchange.complete(serverId, restoreId, signal)
    const put = (paths: string[], keep: string, into: string | null = null) =>
      data.exchange.put(serverId, restoreId, { paths, into, keep }, signal)

    const kept = join(folder(), 'kept')
    // Again, as after an agent was killed: what was kept is not replaced by what was restored, and
    // neither is what the server has written since.
    for (const newer of [null, 'newer', 'newest']) {
      if (newer !== null) {
        await rm(join(folder(), 'mods/one'))
        await writeFile(join(folder(), 'mods/one'), newer)
      }
      if (newer === 'newest') {
        // An attempt that was ended between two paths kept nothing of the second.
        await rm(join(kept, 'world'))
        await writeFile(join(folder(), 'world'), 'former')
        // One that was ended before it replaced a link, which is kept as it is. Another link was set
        // anew since, to the same file.
        await rm(join(folder(), 'mods/link'))
        await link(join(kept, 'mods/link'), join(folder(), 'mods/link'))
        await rm(join(folder(), 'mods/way'))
        await symlink('./other', join(folder(), 'mods/way'))
      }
      const count = newer === 'newest' ? 8 : newer === 'newer' ? 6 : 5
      expect(await put(['/mods', '/world'], '/kept')).toBe(count)
      expect(await readFile(join(folder(), 'mods/one'), 'utf8')).toBe('new one')
      expect(await readFile(join(kept, 'mods/one'), 'utf8')).toBe('old one')
      expect(await readFile(join(kept, 'mods/deep/two\nlines'), 'utf8')).toBe('old deep/two\nlines')
      expect(await readlink(join(kept, 'mods/link'))).toBe('other')
      expect(await readFile(join(kept, 'world'), 'utf8')).toBe('former')
      expect(await world()).toBe('restored')
      expect(await readFile(join(folder(), 'mods/link'), 'utf8')).toBe('new link')
      expect(await readFile(join(folder(), 'mods/other'), 'utf8')).toBe('old other')
    }
    for (const [again, text, names] of [
      ['again-1', 'newer', ['one']],
      ['again-2', 'newest', ['one', 'way']],
    ] as const) {
      expect((await readdir(join(kept, again, 'mods'))).toSorted()).toEqual(names)
      expect(await readFile(join(kept, again, 'mods/one'), 'utf8')).toBe(text)
    }
    expect(await readlink(join(kept, 'again-2/mods/way'))).toBe('./other')
    expect(await readdir(join(kept, 'mods'))).toEqual(expect.not.arrayContaining(['other']))
    expect((await stat(kept)).uid).toBe(UID)

    expect(await put(['/mods/added'], '/nothing', '/fresh')).toBe(0)
    expect(await readdir(folder())).toEqual(expect.not.arrayContaining(['nothing']))
    await writeFile(join(folder(), 'fresh/mods/added'), 'changed')
    expect(await put(['/mods/added'], '/again', '/fresh')).toBe(1)
    expect(await readFile(join(folder(), 'again/fresh/mods/added'), 'utf8')).toBe('changed')

    await expect(put(['/escape/file'], '/last')).rejects.toMatchObject({ code: 'copy_damaged' })
    expect(await readFile(join(outside, 'file'), 'utf8')).toBe('outside')
    await data.exchange.settle(serverId, restoreId)
  })

  test('keep what the backup left out on purpose, at its places, and never from outside of the server', async () => {
    await make(disk)
    const outside = join(root, 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'secret.log'), 'secret')
    for (const path of ['cache/deep', 'a/b', 'gone'])
      await mkdir(join(folder(), path), { recursive: true })
    await symlink(outside, join(folder(), 'escape'))
    await symlink('/etc/passwd', join(folder(), 'cache/link'))
    for (const path of ['cache/one', 'cache/deep/two', 'a/b/new\nline.log', 'gone/x.log', 'gone/y'])
      await writeFile(join(folder(), path), path)
    await chown(join(folder(), 'cache/one'), UID, UID)
    const restoreId = randomUUID()
    const staged = await stage(restoreId, 'restored', ['cache/', 'gone/*.log'])
    await mkdir(join(staged, 'cache'))
    // What was restored leads out, too.
    await symlink(outside, join(staged, 'a'))
    const keep = () => data.exchange.carry?.(serverId, restoreId, () => {}, signal)
    await keep()
    // Again, by the next agent.
    data = open()
    await keep()
    expect((await readdir(staged, { recursive: true })).toSorted()).toEqual(
      expect.arrayContaining(['cache/deep/two', 'cache/link', 'cache/one', 'gone/x.log', 'world']),
    )
    await data.exchange.complete(serverId, restoreId, signal, ['*.log'])
    await expect(keep()).rejects.toMatchObject({ code: 'copy_damaged' })
    expect(await readdir(outside)).toEqual(['secret.log'])
    await data.exchange.swap(serverId, restoreId)
    // In place already: nothing is left to be kept.
    await keep()
    expect(await world()).toBe('restored')
    expect(await readFile(join(folder(), 'cache/deep/two'), 'utf8')).toBe('cache/deep/two')
    expect((await stat(join(folder(), 'cache/one'))).uid).toBe(UID)
    expect(await readdir(join(folder(), 'gone'))).toEqual(['x.log'])
    await data.exchange.swapBack(serverId, restoreId)
    expect(await world()).toBe('former')
    expect(await readFile(join(folder(), 'cache/one'), 'utf8')).toBe('cache/one')
    await data.exchange.settle(serverId, restoreId)
  })

  test('are not exchanged if there is no room to keep what the backup left out', async () => {
    await make('enforced')
    await writeFile(join(folder(), 'big.log'), randomBytes(14 * MIB))
    const restoreId = randomUUID()
    const staged = await stage(restoreId, 'restored', ['*.log'])
    await writeFile(join(staged, 'big'), randomBytes(14 * MIB))
    await expect(
      data.exchange.carry?.(serverId, restoreId, () => {}, signal),
    ).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining('Nothing was changed'),
    })
    await data.exchange.settle(serverId, restoreId)
    expect((await stat(join(folder(), 'big.log'))).size).toBe(14 * MIB)
    expect(await world()).toBe('former')
  })

  test('are put back only if the limit has room for all of them', async () => {
    await make(disk)
    await writeFile(data.paths(serverId).diskLimit, '24')
    await writeFile(join(folder(), 'big'), randomBytes(14 * MIB))
    const restoreId = randomUUID()
    const staged = await data.exchange.stage(serverId, restoreId, 1_000, signal)
    await writeFile(join(staged, 'small'), 'small')
    await writeFile(join(staged, 'big'), randomBytes(14 * MIB))
    await writeFile(join(staged, 'holes'), Buffer.alloc(4 * MIB))
    await data.exchange.complete(serverId, restoreId, signal)
    const put = (paths: string[], into: string | null, keep: string | null = null) =>
      data.exchange.put(serverId, restoreId, { paths, into, keep }, signal)
    await expect(put(['/small', '/big'], '/old')).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining('delete something first'),
    })
    expect(await readdir(folder())).toEqual(expect.not.arrayContaining(['old']))
    await expect(put(['/big'], null, '/kept')).rejects.toMatchObject({ code: 'disk_full' })
    // In its place it needs no more than what it replaces, unless that is kept.
    await put(['/small', '/big', '/holes'], null)
    expect(await readFile(join(folder(), 'big'))).toEqual(await readFile(join(staged, 'big')))
    expect(await stat(join(folder(), 'holes'))).toMatchObject({ size: 4 * MIB, blocks: 0 })
    await data.exchange.settle(serverId, restoreId)
  })
})

test.runIf(able && existsSync('/usr/sbin/mkfs.xfs'))(
  'where the file system shares blocks, a frozen copy stays as it was',
  async () => {
    const [image, shared] = [join(root, 'xfs'), join(root, 'shared')]
    await mkdir(shared)
    await writeFile(image, '')
    await truncate(image, 512 * MIB)
    for (const [program = '', ...args] of [
      ['mkfs.xfs', '-q', image],
      ['mount', '-o', 'loop', image, shared],
    ])
      expect(await runProgram(program, args)).toMatchObject({ code: 0 })
    const onNode = root
    root = shared
    data = open()
    try {
      await make('enforced')
      const frozen = await data.exchange.freeze(serverId, () => {}, signal)
      await writeFile(join(folder(), 'world'), 'newer')
      expect(await readFile(join(frozen?.folder ?? '', 'world'), 'utf8')).toBe('former')
      // One that a killed agent left gives way.
      const again = await data.exchange.freeze(serverId, () => {}, signal)
      expect(await readFile(join(again?.folder ?? '', 'world'), 'utf8')).toBe('newer')
      await again?.release()
      const { folder: own, data: kept, diskImage, group } = data.paths(serverId)
      expect((await readdir(own)).map((name) => join(own, name)).toSorted()).toEqual(
        [kept, diskImage, group].toSorted(),
      )
    } finally {
      await data.remove(serverId)
      await runProgram('umount', [shared])
      root = onNode
      data = open()
    }
  },
)

test.runIf(able)('a disk that is full fails the restore and nothing else', async () => {
  await make('enforced')
  const restoreId = randomUUID()
  const staged = await data.exchange.stage(serverId, restoreId, 1_000, signal)
  const full = await runProgram('dd', ['if=/dev/zero', `of=${staged}/big`, 'bs=1M', 'count=64'])
  expect(full.output).toContain('No space left on device')
  await data.exchange.settle(serverId, restoreId)
  expect(await world()).toBe('former')
  const enormous = data.exchange.stage(serverId, restoreId, 2 ** 50, signal)
  await expect(enormous).rejects.toMatchObject({ code: 'disk_full' })
})

test.runIf(able)(
  'a restore of another server belongs to the server it is restored to',
  async () => {
    await make('measured')
    const restoreId = randomUUID()
    const staged = await data.exchange.stage(serverId, restoreId, 1_000, signal)
    await writeFile(join(staged, 'world'), 'other')
    await chown(join(staged, 'world'), 7_000, 7_000)
    await chown(staged, 7_000, 7_000)
    await data.exchange.complete(serverId, restoreId, signal)
    await data.exchange.swap(serverId, restoreId)
    expect((await stat(join(folder(), 'world'))).uid).toBe(UID)
    expect(pathsIn(data.paths(serverId).folder).data).toBe(folder())
  },
)
