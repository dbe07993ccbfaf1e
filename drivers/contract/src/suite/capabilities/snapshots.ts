import { isMachine } from '@lodge/shared/machine-spec.ts'
import { expect, it } from 'vitest'
import { having } from '../having.ts'
import { none, type Stage, snapshotId } from './stage.ts'

export function snapshotsSuite(stage: Stage): void {
  it('takes snapshots of a stopped server and restores them', async () => {
    const { server, spec } = await stage.made()
    const { serverId } = server
    const snapshots = having(stage.driver(), 'snapshots')
    const signal = stage.signal()
    const first = await snapshots.create(serverId, snapshotId(1), none, signal)
    expect(first.has.firmware).toBe(isMachine(spec) && spec.profile.firmware.kind === 'uefi')
    expect(await snapshots.create(serverId, snapshotId(1), none, signal)).toEqual(first)
    await snapshots.create(serverId, snapshotId(2), none, signal)
    await snapshots.delete(serverId, snapshotId(2))
    await snapshots.delete(serverId, snapshotId(2))
    expect(await snapshots.list(serverId)).toEqual([first])
    await snapshots.restore(serverId, snapshotId(1), none, signal)
    await expect(snapshots.restore(serverId, snapshotId(2), none, signal)).rejects.toMatchObject({
      code: 'not_found',
    })
    await stage.driver().remove(serverId)
  })
}

/** Runs on a started server. */
export async function noSnapshotWhileRunning(stage: Stage, serverId: string): Promise<void> {
  const work = having(stage.driver(), 'snapshots').create(
    serverId,
    snapshotId(9),
    none,
    stage.signal(),
  )
  await expect(work).rejects.toMatchObject({ code: 'not_stopped' })
}
