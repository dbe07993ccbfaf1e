import { SILENT_SECONDS } from '../../fleet/online.ts'
import { keeper } from '../../jobs/keeper.ts'
import { endSilentSessions } from './store.ts'

export const nodeKeepers = [
  keeper('nodes.silent', 4, async ({ db, live }) => {
    const silent = await db.transaction(async (tx) => {
      const ended = await endSilentSessions(tx, SILENT_SECONDS)
      for (const id of ended) {
        await live.announce(tx, { kind: 'node', id })
        await live.announce(tx, { kind: 'node-servers', id })
      }
      return ended
    })
    return { silent: silent.length }
  }),
]
