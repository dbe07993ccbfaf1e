import type { Job } from '@lodge/shared/jobs.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { meQuery } from '../../../session/session.ts'
import { JobStrip } from './job-strip.tsx'

test("the strip on a server's page shows what its job waits for", () => {
  const client = new QueryClient()
  const waitsFor = 'The limit of running servers is reached'
  const job = { serverId: 's', title: 'Start One', state: 'waiting', steps: [], waitsFor }
  const items = [{ ...job, createdAt: new Date().toISOString(), percent: null } as unknown as Job]
  client.setQueryData(['GET /api/jobs', { query: { limit: 25 } }], { items })
  client.setQueryData(meQuery.queryKey, { id: 'me', permissions: [], preferences: {} } as never)
  const strip = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <JobStrip server={{ id: 's', nodeName: 'node-1' } as Server} />
    </QueryClientProvider>,
  )
  expect(strip).toContain(`Start One: ${waitsFor}`)
})
