import { sessionUsers, userOfToken } from '../domains/auth/index.ts'
import { nodeSessions } from '../domains/nodes/index.ts'
import type { Authenticator } from '../http/authenticate.ts'
import type { Services } from '../services.ts'

/** Delegates to the domains that own the credentials. */
export function authenticatorOf(services: Services): Authenticator {
  const { db, guard } = services
  const userOfSession = sessionUsers(db)
  return {
    session: async (token, address) => {
      const user = await userOfSession(token, address)
      return user && guard.judge(user)
    },
    token: async (secret, address) => {
      const user = await userOfToken(db, secret, address)
      return user && guard.judge(user)
    },
    node: (nodeId, credential) => nodeSessions(services).authenticate(nodeId, credential),
  }
}
