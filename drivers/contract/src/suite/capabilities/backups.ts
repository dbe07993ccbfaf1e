import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { Backups } from '../../capabilities/backups.ts'
import { having } from '../having.ts'
import { none, type Stage } from './stage.ts'

export function backupsSuite(stage: Stage): void {
  it('exchanges the data of a stopped server and takes them back', async () => {
    const { server } = await stage.made()
    const { serverId } = server
    const backups = having(stage.driver(), 'backups')
    const signal = stage.signal()
    const restoreId = randomUUID()
    const data = await backups.open(serverId)
    expect(data).toBe(stage.driver().dataFolder(serverId))
    const staged = await backups.stage(serverId, restoreId, 1_000, signal)
    await copyInto(staged, backups, serverId, signal)
    expect(staged).not.toBe(data)
    // What was not verified is never put in place.
    await expect(backups.swap(serverId, restoreId)).rejects.toMatchObject({ code: 'not_found' })
    await backups.complete(serverId, restoreId, signal)
    await backups.swap(serverId, restoreId)
    await backups.swap(serverId, restoreId)
    await backups.swapBack(serverId, restoreId)
    await backups.swapBack(serverId, restoreId)
    await backups.settle(serverId, restoreId)
    await backups.settle(serverId, restoreId)
    await expect(backups.swap(serverId, restoreId)).rejects.toMatchObject({ code: 'not_found' })
    await stage.driver().remove(serverId)
    await backups.settle(serverId, restoreId)
  })

  it('keeps what is being restored when an earlier restore is settled late', async () => {
    const { server } = await stage.made()
    const { serverId } = server
    const backups = having(stage.driver(), 'backups')
    const [earlier, later] = [randomUUID(), randomUUID()]
    for (const restoreId of [earlier, later]) {
      const staged = await backups.stage(serverId, restoreId, 1_000, stage.signal())
      await copyInto(staged, backups, serverId, stage.signal())
      await backups.complete(serverId, restoreId, stage.signal())
      if (restoreId === earlier) await backups.swap(serverId, earlier)
    }
    await backups.settle(serverId, earlier)
    await backups.swap(serverId, later)
    await backups.settle(serverId, later)
    await stage.driver().remove(serverId)
  })
}

/** Runs on a started server. */
export async function noSwapWhileRunning(stage: Stage, serverId: string): Promise<void> {
  const backups = having(stage.driver(), 'backups')
  const restoreId = randomUUID()
  const staged = await backups.stage(serverId, restoreId, 1_000, stage.signal())
  await copyInto(staged, backups, serverId, stage.signal())
  await backups.complete(serverId, restoreId, stage.signal())
  await expect(backups.swap(serverId, restoreId)).rejects.toMatchObject({ code: 'not_stopped' })
  await backups.settle(serverId, restoreId)
}

/** Restores what a backup of now would contain, where a driver copies that; the fake one has no files. */
async function copyInto(
  folder: string,
  backups: Backups,
  serverId: string,
  signal: AbortSignal,
): Promise<void> {
  const frozen = await backups.freeze(serverId, none, signal)
  if (frozen && existsSync(frozen.folder)) await cp(frozen.folder, folder, { recursive: true })
  await frozen?.release()
}
