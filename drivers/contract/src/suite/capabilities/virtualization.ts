import { expect, it } from 'vitest'
import { having } from '../having.ts'
import type { Stage } from './stage.ts'

export function virtualizationSuite(stage: Stage): void {
  it('reports what its host offers virtual machines', async () => {
    const report = await having(stage.driver(), 'virtualization').report(stage.signal())
    expect(report).toMatchObject({ available: true, emulation: true, tpm: true })
    expect(report.firmware.length).toBeGreaterThan(0)
  })
}
