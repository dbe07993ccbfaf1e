import { expect, it } from 'vitest'
import { having } from '../having.ts'
import type { Stage } from './stage.ts'

export function imagesSuite(stage: Stage): void {
  it('counts the images of the node and the unused ones among them', async () => {
    const report = await having(stage.driver(), 'images').report(stage.signal())
    expect(report.unusedCount).toBeLessThanOrEqual(report.count)
    expect(report.unusedBytes).toBeLessThanOrEqual(report.bytes)
  })
}
