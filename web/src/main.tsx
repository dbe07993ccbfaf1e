import './csp.ts'
import './ui/page/mantine.css'
import './ui/page/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onProofNeeded } from './api.ts'
import { nonceStyleElements } from './nonce.ts'
import { paths } from './paths.ts'
import { createQueryClient } from './query.ts'
import { createPanelRouter, needsSession } from './router.tsx'
import { askForProof } from './session/proof.ts'
import { reloadWhenStale } from './stale-build.ts'
import { ThemeProvider } from './theme/theme-provider.tsx'

nonceStyleElements()
reloadWhenStale()
onProofNeeded(askForProof)

const client = createQueryClient(() => {
  // Pages of links, such as an invitation, are there for people without a session too.
  if (!needsSession(router)) return
  void router.navigate({ to: paths.signIn, search: { next: location.pathname + location.search } })
})
const router = createPanelRouter(client)

// Pages are loaded while it is being found out who asks for them. Who opens the panel as such may have to
// sign in, and is led on either way.
if (location.pathname !== paths.home)
  for (const route of router.getMatchedRoutes(location.pathname)[0])
    void router.loadRouteChunk(route)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')
createRoot(root).render(
  <StrictMode>
    <ThemeProvider>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>
  </StrictMode>,
)
