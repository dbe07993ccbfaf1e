import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { ApiError } from '../api.ts'
import type { Panel } from '../panel/compose-panel.ts'
import { page } from '../panel/page.ts'
import { paths } from '../paths.ts'
import { keepHash } from '../session/link-token.ts'
import { meQuery } from '../session/session.ts'
import { Root } from '../shell/root.tsx'
import { Crashed, Missing } from './fallbacks.tsx'

interface Context {
  readonly client: QueryClient
  readonly panel: Panel
}

/** The signed-in person, or undefined; throws any other failure. */
async function signedIn(client: QueryClient) {
  return client.ensureQueryData(meQuery).catch((error) => {
    if (error instanceof ApiError && error.problem.status === 401) return undefined
    throw error
  })
}

export const root = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: Missing,
  errorComponent: Crashed,
})

interface Asked {
  context: Context
  location: { pathname: string; searchStr: string; hash: string }
}

/** Redirects to sign-in without a session, and back here afterwards. */
export async function requireSession({ context, location }: Asked): Promise<void> {
  if (await signedIn(context.client)) return
  throw redirect({ to: paths.signIn, search: backTo(location) })
}

/** The same, and administrators without a required second factor must set it up first. */
async function requireUsable(asked: Asked): Promise<void> {
  await requireSession(asked)
  const me = await asked.context.client.ensureQueryData(meQuery)
  // The suspension comes first: it also prevents setting up a factor.
  if (me.state !== 'suspended' && me.secondFactor === 'overdue')
    throw redirect({ to: paths.secondFactor, search: backTo(asked.location) })
}

function backTo({ pathname, searchStr, hash }: Asked['location']): { next?: string } {
  keepHash(pathname, hash)
  const here = pathname + searchStr
  return here === '/' ? {} : { next: here }
}

/** Everything below needs a session. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'in',
  beforeLoad: requireUsable,
  component: page(() => import('../shell/shell.tsx')),
})

/** Separate windows: they need a session too, and show one thing without navigation. */
export const alone = createRoute({
  getParentRoute: () => root,
  id: 'alone',
  beforeLoad: requireUsable,
  component: page(() => import('../shell/alone.tsx')),
})

/** The page of one server: its header, and a tab for each route. */
export const oneServer = createRoute({
  getParentRoute: () => inside,
  path: paths.server,
  component: page(() => import('../pages/servers/one/server-frame.tsx')),
})
