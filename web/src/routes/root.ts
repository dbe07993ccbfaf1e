import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent as page,
  redirect,
} from '@tanstack/react-router'
import { Refusal } from '../api.ts'
import { paths } from '../paths.ts'
import { keepHash } from '../session/link-token.ts'
import { meQuery } from '../session/session.ts'
import { Crashed, Missing } from '../shell/fallbacks.tsx'

interface Context {
  readonly client: QueryClient
}

/** The signed-in person, or undefined; any other failure is thrown. */
async function signedIn(client: QueryClient) {
  return client.ensureQueryData(meQuery).catch((error) => {
    if (error instanceof Refusal && error.problem.status === 401) return undefined
    throw error
  })
}

export const root = createRootRouteWithContext<Context>()({
  notFoundComponent: Missing,
  errorComponent: Crashed,
})

async function requireSession({
  context,
  location,
}: {
  context: Context
  location: { pathname: string; searchStr: string; hash: string }
}): Promise<void> {
  if (await signedIn(context.client)) return
  const here = location.pathname + location.searchStr
  keepHash(location.pathname, location.hash)
  throw redirect({ to: paths.signIn, search: here === '/' ? {} : { next: here } })
}

/** Everything below needs a session. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'in',
  beforeLoad: requireSession,
  component: page(() => import('../shell/shell.tsx'), 'Shell'),
})

/** Small windows beside the panel: they need a session too, and have nothing around their one thing. */
export const alone = createRoute({
  getParentRoute: () => root,
  id: 'alone',
  beforeLoad: requireSession,
  component: page(() => import('../shell/alone.tsx')),
})
