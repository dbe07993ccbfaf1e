import { createRoute, lazyRouteComponent as page, redirect } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { q } from '../query.ts'
import { requireSession, root } from './root.ts'
import * as search from './search.ts'

/** The pages of people who are not signed in. */

const signInPage = page(() => import('../pages/sign-in/sign-in-page.tsx'))
const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  validateSearch: search.nextSearch,
  beforeLoad: async ({ context }) => {
    // Nearly always it is this page: it is loaded while the answer is on its way.
    void signInPage.preload?.()
    const status = await context.client.fetchQuery(q('GET /api/auth/status'))
    if (!status.bootstrapped) throw redirect({ to: paths.setUp })
  },
  component: signInPage,
})
const setUp = createRoute({
  getParentRoute: () => root,
  path: paths.setUp,
  beforeLoad: async ({ context }) => {
    const status = await context.client.fetchQuery(q('GET /api/auth/status'))
    if (status.bootstrapped) throw redirect({ to: paths.home })
  },
  component: page(() => import('../pages/set-up/set-up-page.tsx')),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: paths.signUp,
  component: page(() => import('../pages/entrance/sign-up-page.tsx')),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: paths.verify,
  component: page(() => import('../pages/entrance/verify-page.tsx')),
})
const forgot = createRoute({
  getParentRoute: () => root,
  path: paths.forgot,
  component: page(() => import('../pages/entrance/forgot-page.tsx')),
})
const recover = createRoute({
  getParentRoute: () => root,
  path: paths.recover,
  component: page(() => import('../pages/entrance/recover-page.tsx')),
})
const accept = createRoute({
  getParentRoute: () => root,
  path: paths.accept,
  component: page(() => import('../pages/entrance/accept-page.tsx')),
})
const join = createRoute({
  getParentRoute: () => root,
  path: paths.join,
  component: page(() => import('../pages/entrance/join-page.tsx')),
})
const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: paths.confirmEmail,
  component: page(() => import('../pages/entrance/confirm-email-page.tsx')),
})
const undoEmail = createRoute({
  getParentRoute: () => root,
  path: paths.undoEmail,
  component: page(() => import('../pages/entrance/undo-email-page.tsx')),
})

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: paths.secondFactor,
  validateSearch: search.nextSearch,
  beforeLoad: requireSession,
  component: page(() => import('../pages/second-factor/second-factor-page.tsx')),
})

export const entranceRoutes = [
  signIn,
  setUp,
  signUp,
  verify,
  forgot,
  recover,
  accept,
  join,
  confirmEmail,
  undoEmail,
  secondFactor,
] as const
