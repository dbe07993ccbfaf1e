import { stopEffect } from '@lodge/shared/server-status.ts'
import type { Server, ServerAction, ServerStatus } from '@lodge/shared/servers.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import type { Call } from '../../command/call.ts'
import { callOf } from '../../command/call-of.ts'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { whyNotNow } from './why-not.ts'
import { t } from './words.ts'

export type PowerAction = Extract<ServerAction, 'start' | 'stop' | 'restart' | 'kill'>

const SHOWN: Readonly<Record<PowerAction, ServerStatus>> = {
  start: 'starting',
  stop: 'stopping',
  restart: 'restarting',
  kill: 'stopping',
}

interface StopWords {
  readonly effect: ReturnType<typeof stopEffect>
  readonly label: string
  readonly named: string
  /** Whether it disconnects people, so that it has to be confirmed. */
  readonly asks: boolean
}

/** What stopping does to this server now, as texts for buttons and commands. */
export function stopWords(server: Pick<Server, 'name' | 'status' | 'restartAt'>): StopWords {
  const named = { server: server.name }
  const effect = stopEffect(server)
  switch (effect) {
    case 'ends':
      return { effect, label: t.stop, named: t.stopNamed(named), asks: true }
    case 'cancels_restart':
      return { effect, label: t.cancelRestart, named: t.cancelRestartNamed(named), asks: false }
    case 'marks_stopped':
      return { effect, label: t.markStopped, named: t.markStoppedNamed(named), asks: false }
  }
}

/** Shows a status before the node confirms it; the event stream corrects it. */
function showStatus(client: QueryClient, id: string, status: ServerStatus): void {
  const change = (server: Server): Server => (server.id === id ? { ...server, status } : server)
  client.setQueryData<Server>(
    ['GET /api/servers/{id}', { params: { id } }],
    (old) => old && change(old),
  )
  client.setQueriesData<{ items: Server[] }>({ queryKey: ['GET /api/servers'] }, (old) =>
    old ? { ...old, items: old.items.map(change) } : old,
  )
}

/** Statuses in which a process may be running. */
const RUNS: readonly ServerStatus[] = [
  'installing',
  'starting',
  'running',
  'stopping',
  'restarting',
  'unknown',
]

/** Why a power action is not possible now, in words; undefined when it is. */
export function whyNoPower(action: PowerAction, server: Server): string | undefined {
  // Stopping sets a desired state, which the node applies when it is back; starting needs the node
  // now.
  if (!server.nodeOnline && (action === 'start' || action === 'restart')) {
    return t.nodeNotConnected({ node: server.nodeName })
  }
  const runs = RUNS.includes(server.status) && stopEffect(server) === 'ends'
  if (action === 'kill' && !runs) return t.nothingRuns
  return whyNotNow(action, server.status)
}

/** Requests a power action: shown immediately, reverted when it is refused. */
export async function askPower(
  client: QueryClient,
  server: Server,
  action: PowerAction,
): Promise<void> {
  const down = action === 'stop' && stopEffect(server) !== 'ends'
  showStatus(client, server.id, down ? 'stopped' : SHOWN[action])
  try {
    await api('POST /api/servers/{id}/actions', { params: { id: server.id }, body: { action } })
  } catch (error) {
    showStatus(client, server.id, server.status)
    throw error
  } finally {
    void client.invalidateQueries({ queryKey: ['GET /api/jobs'] })
  }
}

/** The call of a power action, to show as a command. */
export const powerCall = (server: Pick<Server, 'id'>, action: PowerAction): Call =>
  callOf('POST /api/servers/{id}/actions', { params: { id: server.id }, body: { action } })

function refused(action: PowerAction, named: { readonly server: string }): string {
  const words: Readonly<Record<PowerAction, string>> = {
    start: t.startRefused(named),
    stop: t.stopRefused(named),
    restart: t.restartRefused(named),
    kill: t.killRefused(named),
  }
  return words[action]
}

/**
 * Power actions of one server, with the reason of a refusal. Unlike `useMutation` it subscribes to
 * nothing, because every row of a list uses it.
 */
export function usePower(server: Server) {
  const client = useQueryClient()
  const named = { server: server.name }
  const mutateAsync = (action: PowerAction): Promise<void> =>
    client
      .getMutationCache()
      .build<void, Error, PowerAction, unknown>(client, {
        mutationFn: (asked) => askPower(client, server, asked),
        onError: (error, asked) => toastRefused(refused(asked, named), error),
      })
      .execute(action)
  return {
    mutateAsync,
    mutate: (action: PowerAction): void => void mutateAsync(action).catch(() => undefined),
  }
}
