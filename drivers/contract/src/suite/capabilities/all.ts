import { describe, expect, it } from 'vitest'
import { CAPABILITIES, type Capability, capabilitiesOf } from '../../capabilities.ts'
import { diskUsageSuite } from './disk-usage.ts'
import { imagesSuite } from './images.ts'
import { mediaSuite } from './media.ts'
import { networksSuite } from './networks.ts'
import { screenSuite, showsScreen } from './screen.ts'
import { noSnapshotWhileRunning, snapshotsSuite } from './snapshots.ts'
import type { Stage } from './stage.ts'
import { noCopyWhileRunning, transferSuite } from './transfer.ts'
import { virtualizationSuite } from './virtualization.ts'

/** Console and installer are tried by programs, which containers and guests have each their own of. */
type Tried = Exclude<Capability, 'console' | 'installer'>

const SUITES: Readonly<Record<Tried, (stage: Stage) => void>> = {
  images: imagesSuite,
  networks: networksSuite,
  virtualization: virtualizationSuite,
  snapshots: snapshotsSuite,
  screen: screenSuite,
  media: mediaSuite,
  transfer: transferSuite,
  diskUsage: diskUsageSuite,
}
const WHILE_RUNNING: Partial<
  Record<Capability, (stage: Stage, serverId: string) => Promise<void>>
> = { snapshots: noSnapshotWhileRunning, transfer: noCopyWhileRunning, screen: showsScreen }

/** The part of every capability that the driver has; what it has not is not tried. */
export function capabilitySuites(stage: Stage, has: readonly Capability[]): void {
  describe('capabilities', () => {
    it('are those that its suite was told of, and no others', () => {
      const named = CAPABILITIES.filter((name) => has.includes(name))
      expect(capabilitiesOf(stage.driver())).toEqual(named)
    })
    for (const name of has) if (isTried(name)) SUITES[name](stage)
  })
}

/** What capabilities promise of a server that runs. */
export async function tryWhileRunning(
  stage: Stage,
  has: readonly Capability[],
  serverId: string,
): Promise<void> {
  for (const name of has) await WHILE_RUNNING[name]?.(stage, serverId)
}

const isTried = (name: Capability): name is Tried => name in SUITES
