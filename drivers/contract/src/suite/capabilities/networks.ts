import { it } from 'vitest'
import { having } from '../having.ts'
import type { Stage } from './stage.ts'

export function networksSuite(stage: Stage): void {
  it('opens networks and closes them again, and accepts the same list twice', async () => {
    const networks = having(stage.driver(), 'networks')
    const opening = { network: '10.98.0.0/24', protocol: 'tcp' as const, ports: null }
    await networks.open([opening])
    await networks.open([opening])
    await networks.open([])
  })
}
