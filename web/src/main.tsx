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

/** Clears the attempts that index.html counts when the panel's code does not load. */
function forgetTries(): void {
  try {
    sessionStorage.removeItem('lodge.tries')
  } catch {
    // Without storage there is no count.
  }
}

/** Called once the language is known, because modules loaded from here read texts on creation. */
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

  // In a separate task, because creating the router was a long one already.
  setTimeout(() => draw(client, router))
}

function draw(client: QueryClient, router: ReturnType<typeof createPanelRouter>): void {
  const root = createRoot(document.getElementById('root') as HTMLElement)
  // As a transition, React renders in slices, between which a slow device stays responsive.
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

// In a separate task, because evaluating the code was a long one already.
const { lang } = document.documentElement
if (lang === ENGLISH) setTimeout(start)
else
  void import('./panel/other-language.ts')
    .then(({ speakOther }) => speakOther(lang))
    // If its texts cannot be loaded, the panel is in English.
    .catch(() => undefined)
    .then(start)
