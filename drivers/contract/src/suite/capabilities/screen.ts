import { expect, it } from 'vitest'
import { having } from '../having.ts'
import type { Stage } from './stage.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])

export function screenSuite(stage: Stage): void {
  it('refuses the screen of a stopped server', async () => {
    const { server } = await stage.made()
    const screen = having(stage.driver(), 'screen')
    const refused = { code: 'not_running' }
    await expect(screen.open(server.serverId, stage.signal())).rejects.toMatchObject(refused)
    await expect(screen.capture(server.serverId, stage.signal())).rejects.toMatchObject(refused)
    await stage.driver().remove(server.serverId)
  })
}

/** Runs on a started server. */
export async function showsScreen(stage: Stage, serverId: string): Promise<void> {
  const image = await having(stage.driver(), 'screen').capture(serverId, stage.signal())
  expect(image.length).toBeGreaterThan(50)
  expect(Buffer.from(image.subarray(0, 4))).toEqual(PNG)
}
