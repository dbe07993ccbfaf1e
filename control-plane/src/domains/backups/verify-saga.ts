import { z } from 'zod'
import { WaitExpired } from '../../jobs/dispatch/parking.ts'
import { Permanent, type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { judging, requireKept } from './judging.ts'
import { wasUnreadable } from './verify-store.ts'
import { backupOnNode } from './work.ts'

const About = z.object({
  serverId: z.uuid(),
  /** The node that reads it, which need not be that of the server. */
  nodeId: z.uuid(),
  repositoryId: z.uuid(),
  backupId: z.uuid(),
  snapshotId: z.string(),
  sizeBytes: z.number(),
})
type About = z.infer<typeof About>

/** A verification is never urgent, so it ends when its node is away for longer. */
const AWAY_MS = 3_600_000
/** The largest backups on the slowest storages. */
const READ_MS = 12 * 3_600_000

/** Reads a backup back completely and records whether all of it is what was written. */
export const verifyBackupSaga = saga('backup.verify', About).step('Verify the backup', {
  async do(about, tools) {
    await requireKept(about, tools)
    const isFault = (code: string) => cameAgain(code, about, tools)
    await judging(about, tools, () => read(about, tools), isFault)
  },
})

/**
 * A fault that may pass counts as damage when it comes again on another day. Only here: whoever also
 * writes what is read may have a fault of the disk that it writes to.
 */
const cameAgain = async (code: string, { backupId }: About, { ctx }: StepTools) =>
  code === 'copy_unreadable' && (await wasUnreadable(ctx.db, backupId))

async function read(about: About, tools: StepTools): Promise<void> {
  const { serverId, nodeId, repositoryId, snapshotId, sizeBytes } = about
  try {
    await backupOnNode(tools, {
      ...{ serverId, nodeId, repositoryId },
      name: 'verify',
      work: { do: 'verify', snapshotId, sizeBytes },
      backWithinMs: AWAY_MS,
      timeoutMs: READ_MS,
    })
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error
    throw new Permanent('node_timeout', 'The node was away for an hour: verify the backup later')
  }
}
