import { periodicTask } from '../../jobs/periodic-task.ts'
import type { Services } from '../../services.ts'
import { reachNow } from './reach-now.ts'

/** Ends transfers through this instance of people who lost the right to them. */
async function recheckTransfers({ db, fleet }: Services): Promise<number> {
  const groups = Map.groupBy(
    fleet.openTransfers().filter(({ kind }) => kind === 'files'),
    ({ serverId, userKey, writes }) => `${serverId} ${userKey} ${writes}`,
  )
  let ended = 0
  for (const group of groups.values()) {
    const [one] = group
    if (!one) continue
    const reach = await reachNow(db, one.serverId, one.userKey, one.writes)
    if (typeof reach !== 'string') continue
    for (const { id } of group) fleet.closeTransfer(id)
    ended += group.length
  }
  return ended
}

/**
 * Every second, because suspensions and changed roles are not announced one by one. Ended sessions
 * and changed shares close their connections immediately.
 */
export const recheckTask = periodicTask('files.recheck', 1, async (services) => ({
  ended: await recheckTransfers(services),
}))
