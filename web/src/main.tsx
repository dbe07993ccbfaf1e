import './csp.ts'
import './ui/page/mantine.css'
import './theme/scale.css'
import './ui/page/base.css'
import { ENGLISH } from '@lodge/shared/words/bind.ts'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { onProofNeeded } from './api.ts'
import { watchStyles } from './load-code.ts'
import { nonceStyleElements } from './nonce.ts'
import { paths } from './paths.ts'
import { createQueryClient } from './query.ts'
import { createPanelRouter, needsSession } from './router.tsx'
import { askForProof } from './session/proof.ts'
import { ThemeProvider } from './theme/theme-provider.tsx'

nonceStyleElements()
watchStyles()
onProofNeeded(askForProof)

/** What index.html counts when the panel's code does not load. */
function forgetTries(): void {
  try {
    sessionStorage.removeItem('lodge.tries')
  } catch {
    // Without storage nothing was counted.
  }
}

/** Everything that reads texts when it is made comes after the language. */
function start(): void {
  forgetTries()
  const client = createQueryClient(() => {
    // Pages opened from a mail, such as an invitation, also work without a session.
    if (!needsSession(router)) return
    void router.navigate({
      to: paths.signIn,
      search: { next: location.pathname + location.search },
    })
  })
  const router = createPanelRouter(client)

  // Loads the page while the session is being checked, except for the home page, from which people
  // may be redirected.
  if (location.pathname !== paths.home)
    for (const route of router.getMatchedRoutes(location.pathname)[0])
      void router.loadRouteChunk(route)

  // In a task of its own: making the router was a long one already.
  setTimeout(() => draw(client, router))
}

function draw(client: QueryClient, router: ReturnType<typeof createPanelRouter>): void {
  const root = createRoot(document.getElementById('root') as HTMLElement)
  // As a transition, React draws in slices between which a slow device answers its person.
  startTransition(() =>
    root.render(
      <StrictMode>
        <ThemeProvider>
          <QueryClientProvider client={client}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </ThemeProvider>
      </StrictMode>,
    ),
  )
}

// In a task of its own: evaluating the code was a long one already.
const { lang } = document.documentElement
if (lang === ENGLISH) setTimeout(start)
else
  void import('./panel/other-language.ts')
    .then(({ speakOther }) => speakOther(lang))
    // Without its words the panel is English.
    .catch(() => undefined)
    .then(start)
