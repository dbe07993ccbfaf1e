import { contextFor } from '../../context.ts'
import { keeper, watcher } from '../../jobs/keeper.ts'
import { workOff } from './register.ts'
import { ANY_REQUEST, deleteUnconfirmed } from './store.ts'

export const signupKeepers = [
  watcher('signup.requests', ANY_REQUEST, async (services) => ({
    requests: await workOff(contextFor(services, { kind: 'system' })),
  })),
  keeper('signup.unconfirmed', 3600, async ({ db }) => ({ removed: await deleteUnconfirmed(db) })),
]
