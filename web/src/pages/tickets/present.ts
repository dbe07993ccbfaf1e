import type { QueryClient } from '@tanstack/react-query'

/** A staff member present in a ticket. Everybody loads this file. */
export interface Present {
  readonly agent: { readonly id: string; readonly email: string; readonly name: string | null }
  readonly state: 'viewing' | 'replying' | 'left'
  /** When it was reported, in milliseconds since 1970. */
  readonly at: number
}

/** Reported every 25 seconds: after this silence somebody has left. */
const SILENT_MS = 60_000
const keyOf = (ticketId: string) => ['present', ticketId] as const

/** Who was last reported in a ticket; only the event stream fills it. */
export const presentIn = (ticketId: string) => ({
  queryKey: keyOf(ticketId),
  queryFn: (): readonly Present[] => [],
  staleTime: Number.POSITIVE_INFINITY,
})

export const isHere = ({ state, at }: Present, now: number): boolean =>
  state !== 'left' && now - at < SILENT_MS

/** Records somebody's activity in a ticket. */
export function notePresence(
  client: QueryClient,
  { id, agent, state }: Omit<Present, 'at'> & { readonly id: string },
): void {
  client.setQueryData<readonly Present[]>(keyOf(id), (old = []) => [
    ...old.filter((one) => one.agent.id !== agent.id),
    { agent, state, at: Date.now() },
  ])
}
