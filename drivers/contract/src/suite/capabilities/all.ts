import { describe, expect, it } from 'vitest'
import { CAPABILITIES, type Capability, capabilitiesOf } from '../../capabilities.ts'
import { backupsSuite, noSwapWhileRunning } from './backups.ts'
import { diskUsageSuite } from './disk-usage.ts'
import { filesSuite } from './files.ts'
import { imagesSuite } from './images.ts'
import { mediaSuite } from './media.ts'
import { networksSuite } from './networks.ts'
import { noRelocationWhileRunning, relocationSuite } from './relocation.ts'
import { screenSuite, showsScreen } from './screen.ts'
import { noSnapshotWhileRunning, snapshotsSuite } from './snapshots.ts'
import type { Stage } from './stage.ts'
import { noCopyWhileRunning, transferSuite } from './transfer.ts'
import { virtualizationSuite } from './virtualization.ts'

/**
 * Console and installer have suites of their own, because their test programs differ for containers
 * and guests.
 */
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
  backups: backupsSuite,
  files: filesSuite,
  relocation: relocationSuite,
}
const WHILE_RUNNING: Partial<
  Record<Capability, (stage: Stage, serverId: string) => Promise<void>>
> = {
  snapshots: noSnapshotWhileRunning,
  transfer: noCopyWhileRunning,
  screen: showsScreen,
  backups: noSwapWhileRunning,
  relocation: noRelocationWhileRunning,
}

/** Runs the suites of the capabilities that the driver has. */
export function capabilitySuites(stage: Stage, has: readonly Capability[]): void {
  describe('capabilities', () => {
    it('are exactly those declared to the suite', () => {
      const named = CAPABILITIES.filter((name) => has.includes(name))
      expect(capabilitiesOf(stage.driver())).toEqual(named)
    })
    for (const name of has) if (isTried(name)) SUITES[name](stage)
  })
}

/** Tests what capabilities promise about a running server. */
export async function tryWhileRunning(
  stage: Stage,
  has: readonly Capability[],
  serverId: string,
): Promise<void> {
  for (const name of has) await WHILE_RUNNING[name]?.(stage, serverId)
}

const isTried = (name: Capability): name is Tried => name in SUITES
