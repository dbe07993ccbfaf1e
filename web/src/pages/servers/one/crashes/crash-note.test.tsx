import { type CrashState, DEFAULT_CRASH_POLICY, type Server } from '@lodge/shared/servers.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CrashNote } from './crash-note.tsx'

const AT = new Date(Date.now() + 60_000).toISOString()
const REASON =
  'The server ended with exit code 1; it was already restarted 3 times within 10 minutes'

/** The text in the header of a server in this state, given the state of its crash guard. */
function noteOf(given: Partial<Server>, guard: CrashState): string {
  const client = new QueryClient()
  const server = {
    id: 's',
    status: 'running',
    nodeOnline: true,
    lastExit: null,
    ...given,
  } as Server
  client.setQueryData(['GET /api/servers/{id}/crash-policy', { params: { id: 's' } }], {
    ...DEFAULT_CRASH_POLICY,
    ...guard,
  })
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <CrashNote server={server} />
    </QueryClientProvider>,
  )
}

test('a server about to be restarted shows when, and which attempt it is', () => {
  const guard = { attemptsInWindow: 1, restartAt: AT, gaveUp: null }
  const note = noteOf({ status: 'restarting', restartAt: AT }, guard)
  expect(note).toMatch(/Restarts in (59 s|1 min 0 s) \(attempt 2 of 3\)/)
  expect(note).toContain('Cancel restart')
})

test('the attempt is left out while only that of another restart is known', () => {
  const guard = { attemptsInWindow: 1, restartAt: null, gaveUp: null }
  const note = noteOf({ status: 'restarting', restartAt: AT }, guard)
  expect(note).toContain('Restarts in')
  expect(note).not.toContain('attempt')
})

test('a server that was restarted too often shows why, and that a person must start it', () => {
  const gaveUp = { at: new Date().toISOString(), reason: REASON }
  const guard = { attemptsInWindow: 3, restartAt: null, gaveUp }
  const note = noteOf({ status: 'crashed', restartAt: null }, guard)
  expect(note).toContain('The panel no longer restarts this server: start it yourself')
  expect(note).toContain(REASON)
  expect(note).toContain('Start</button>')
  expect(noteOf({ status: 'starting', restartAt: null }, guard)).toBe('')
})
