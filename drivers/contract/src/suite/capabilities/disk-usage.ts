import { expect, it } from 'vitest'
import { having } from '../having.ts'
import type { Stage } from './stage.ts'

export function diskUsageSuite(stage: Stage): void {
  it('measures the disk usage of a server', async () => {
    const { server } = await stage.made()
    const usage = await having(stage.driver(), 'diskUsage').measure(server.serverId)
    const parts = [
      ...usage.disks.map(({ usedBytes }) => usedBytes),
      usage.snapshotBytes,
      usage.otherBytes,
    ]
    for (const bytes of parts) expect(bytes).toBeGreaterThanOrEqual(0)
    expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(0)
    expect(usage.snapshotBytes).toBe(0)
    await stage.driver().remove(server.serverId)
  })
}
