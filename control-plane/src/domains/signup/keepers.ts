import { contextFor } from '../../context.ts'
import { keeper } from '../../jobs/keeper.ts'
import { workOff } from './register.ts'
import { deleteUnconfirmed } from './store.ts'

export const signupKeepers = [
  keeper('signup.requests', 1, async (services) => ({
    requests: await workOff(contextFor(services, { kind: 'system' })),
  })),
  keeper('signup.unconfirmed', 3600, async ({ db }) => ({ removed: await deleteUnconfirmed(db) })),
]
