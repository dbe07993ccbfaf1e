import { createRoute, redirect } from '@tanstack/react-router'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { requireSession, root } from '../../routes/frames.ts'
import { given, type Raw, text } from '../../routes/search.ts'

const nextSearch = (raw: Raw) => given({ next: text(raw.next) })

const signInPage = page(() => import('./sign-in/sign-in-page.tsx'))
const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  validateSearch: nextSearch,
  beforeLoad: async ({ context }) => {
    // The next page is nearly always sign-in: load it while the session is being checked.
    void signInPage.preload?.()
    const status = await context.client.fetchQuery(q('GET /api/auth/status'))
    if (!status.bootstrapped) throw redirect({ to: paths.setUp })
  },
  component: signInPage,
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: paths.signUp,
  component: page(() => import('./sign-up-page.tsx')),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: paths.verify,
  component: page(() => import('./verify-page.tsx')),
})
const forgot = createRoute({
  getParentRoute: () => root,
  path: paths.forgot,
  component: page(() => import('./forgot-page.tsx')),
})
const recover = createRoute({
  getParentRoute: () => root,
  path: paths.recover,
  component: page(() => import('./recover-page.tsx')),
})
const accept = createRoute({
  getParentRoute: () => root,
  path: paths.accept,
  component: page(() => import('./accept-page.tsx')),
})
const join = createRoute({
  getParentRoute: () => root,
  path: paths.join,
  component: page(() => import('./join-page.tsx')),
})
const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: paths.confirmEmail,
  component: page(() => import('./confirm-email-page.tsx')),
})
const undoEmail = createRoute({
  getParentRoute: () => root,
  path: paths.undoEmail,
  component: page(() => import('./undo-email-page.tsx')),
})
const verifyChannel = createRoute({
  getParentRoute: () => root,
  path: paths.verifyChannel,
  component: page(() => import('./verify-channel-page.tsx')),
})
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: paths.unsubscribe,
  component: page(() => import('./unsubscribe-page.tsx')),
})
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: paths.secondFactor,
  validateSearch: nextSearch,
  beforeLoad: requireSession,
  component: page(() => import('./second-factor/second-factor-page.tsx')),
})

/** Pages before sign-in, and the targets of links in mails. */
export default definePages({
  routes: {
    outside: [
      signIn,
      signUp,
      verify,
      forgot,
      recover,
      accept,
      join,
      confirmEmail,
      undoEmail,
      verifyChannel,
      unsubscribe,
      secondFactor,
    ],
  },
})
