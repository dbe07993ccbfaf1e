import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { having } from '../having.ts'
import { none, type Stage } from './stage.ts'

export function relocationSuite(stage: Stage): void {
  it('leaves a server where it is when the other storage is not there', async () => {
    const { server, spec } = await stage.made()
    const { serverId } = server
    const relocation = having(stage.driver(), 'relocation')
    const away = { code: 'storage_away', retryable: true }
    const elsewhere = randomUUID()
    const before = stage.driver().dataFolder(serverId)
    await expect(relocation.copy(serverId, elsewhere, none, stage.signal())).rejects.toMatchObject(
      away,
    )
    await expect(relocation.place(serverId, elsewhere)).rejects.toMatchObject(away)
    await expect(relocation.drop(serverId, elsewhere)).rejects.toMatchObject(away)
    // Where it lies nothing changes, and nothing goes.
    await relocation.copy(serverId, spec.storage ?? null, none, stage.signal())
    await relocation.place(serverId, spec.storage ?? null)
    await expect(relocation.drop(serverId, spec.storage ?? null)).rejects.toMatchObject({
      code: 'not_permitted',
    })
    expect(stage.driver().dataFolder(serverId)).toBe(before)
    await stage.driver().remove(serverId)
    // Of a server that is gone, nothing is left.
    await relocation.drop(serverId, null)
  })
}

/** Runs on a started server. */
export async function noRelocationWhileRunning(stage: Stage, serverId: string): Promise<void> {
  const { copy, place } = having(stage.driver(), 'relocation')
  const running = { code: 'not_stopped', retryable: true }
  await expect(copy(serverId, randomUUID(), none, stage.signal())).rejects.toMatchObject(running)
  await expect(place(serverId, randomUUID())).rejects.toMatchObject(running)
}
