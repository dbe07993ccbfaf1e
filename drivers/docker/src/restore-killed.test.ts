import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeLoopDisk } from './data/loop-disk.ts'
import { type ServerData, serverData } from './data/server-data.ts'
import { settingsOf } from './engine/options.ts'
import { killedAt } from './testing/killed-at.ts'

const able = process.getuid?.() === 0 && existsSync('/usr/sbin/mkfs.ext4')
const DISK_BYTES = 32 * 1024 * 1024

let root: string
let serverId: string
let data: ServerData
/** The next agent, which knows only what is on the disk. */
const restart = () => {
  data = serverData(settingsOf({ socketPath: '/nonexistent', dataRoot: root }))
}
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lodge-killed-'))
  serverId = randomUUID()
  restart()
})
afterEach(async () => {
  await data.remove(serverId)
  await rm(root, { recursive: true, force: true })
})

async function world(): Promise<string> {
  await data.mount(serverId)
  return readFile(join(data.paths(serverId).data, 'world'), 'utf8')
}

/** A server whose world is the former one, with nothing of an earlier restore. */
async function make(disk: 'enforced' | 'measured'): Promise<readonly string[]> {
  const own = data.paths(serverId)
  await mkdir(own.folder, { recursive: true })
  await writeFile(own.group, '')
  if (disk === 'enforced') await makeLoopDisk(own, DISK_BYTES)
  else await mkdir(own.data)
  await writeFile(join(own.data, 'world'), 'former')
  return (await readdir(own.folder)).toSorted()
}

type Ids = Omit<Parameters<typeof killedAt>[1], 'part'>
type Part = Parameters<typeof killedAt>[1]['part']

describe.runIf(able).each(['measured', 'enforced'] as const)(
  'a restore to data whose limit is %s',
  (disk) => {
    let clean: readonly string[]

    /** Kills a part at each of its points, each time in a new restore. @returns how many there are */
    async function killEverywhere(
      part: Part,
      prepare: (ids: Ids) => Promise<void>,
      recover: (ids: Ids, where: string) => Promise<void>,
    ): Promise<number> {
      for (let point = 0; ; point += 1) {
        const ids = { root, serverId, restoreId: randomUUID() }
        const where = `${part}, killed at ${point}`
        await prepare(ids)
        const finished = await killedAt(point, { ...ids, part })
        restart()
        await recover(ids, where)
        const left = await readdir(data.paths(serverId).folder)
        // Half a journal is not read, and the next one replaces it.
        const kept = left.filter((name) => !name.endsWith('.new'))
        expect(kept.toSorted(), where).toEqual(clean)
        if (finished) return point
      }
    }

    async function restored(ids: Ids): Promise<void> {
      if (!(await killedAt(-1, { ...ids, part: 'restore' }))) throw new Error('it was killed')
      restart()
      expect(await world()).toBe('restored')
    }

    async function takeBack({ restoreId }: Ids, where: string): Promise<void> {
      expect(['former', 'restored'], where).toContain(await world())
      await data.exchange.swapBack(serverId, restoreId)
      expect(await world(), where).toBe('former')
      await data.exchange.settle(serverId, restoreId)
    }

    test('loses nothing and leaves nothing behind, wherever on its whole way the agent is killed', {
      tags: 'long',
      timeout: 1_800_000,
    }, async () => {
      clean = await make(disk)
      expect(await killEverywhere('restore', async () => {}, takeBack)).toBeGreaterThan(20)
      expect(await killEverywhere('undo', restored, takeBack)).toBeGreaterThan(20)
      const finishes = await killEverywhere('finish', restored, async ({ restoreId }, where) => {
        expect(await world(), where).toBe('restored')
        await data.exchange.settle(serverId, restoreId)
        await writeFile(join(data.paths(serverId).data, 'world'), 'former')
      })
      expect(finishes).toBeGreaterThan(5)
    })
  },
)
