import { isOpenToSuspended } from '@lodge/shared/restriction.ts'
import { hasPermission } from '../../actor.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import type { Services } from '../../services.ts'
import { asActor, findUser } from '../customers/index.ts'
import { findRights, findView, permits } from '../servers/index.ts'

/** Ends downloads of people who lost the right to them. */
async function recheckDownloads({ db, fleet }: Services): Promise<number> {
  let ended = 0
  for (const { id, kind, serverId, userKey } of fleet.openTransfers()) {
    if (kind !== 'backup') continue
    const [user, view] = [await findUser(db, userKey), await findView(db, serverId)]
    const actor = user && asActor(user)
    const { suspended } = actor ?? {}
    if (actor && view && (!suspended || isOpenToSuspended('data-export', suspended))) {
      const rights = (await findRights(db, serverId, userKey)) ?? null
      const narrowed = rights?.files.some(({ access }) => access !== 'write') ?? false
      const whole = !narrowed || hasPermission(actor, 'servers.files')
      if (whole && permits(actor, { ...view, rights }, 'backups.download')) continue
    }
    fleet.closeTransfer(id)
    ended += 1
  }
  return ended
}

/** Every second, as for transfers of files. */
export const recheckDownloadsTask = periodicTask('backups.recheck', 1, async (services) => ({
  ended: await recheckDownloads(services),
}))
