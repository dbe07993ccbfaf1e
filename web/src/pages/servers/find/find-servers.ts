import type { Server } from '@lodge/shared/servers.ts'
import { ENGLISH, inLanguage } from '@lodge/shared/words/bind.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { callOf } from '../../../command/call-of.ts'
import type { Found } from '../../../panel/define-pages.ts'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { type Me, meQuery } from '../../../session/session.ts'
import { serverWord } from '../../../ui/data/status.tsx'
import { names } from '../names.ts'
import { askPower, type PowerAction, powerCall, stopWords, whyNoPower } from '../power.ts'
import { whyNotNow } from '../why-not.ts'
import { t } from './words.ts'

/**
 * Verbs that people type before or after the name of a server: "open console of lobby", "Konsole von
 * lobby öffnen".
 */
const verbs = (): ReadonlySet<string> =>
  new Set([inLanguage(t, ENGLISH).paletteVerbs, t.paletteVerbs].flatMap((all) => all.split(' ')))

/** Splits what was typed into verbs and the rest, which is searched for. */
export function splitVerbs(text: string): { readonly verbs: boolean; readonly name: string } {
  const words = text.trim().split(/\s+/)
  const known = verbs()
  const isName = (word: string): boolean => !known.has(word.toLowerCase())
  const name = words.slice(words.findIndex(isName), words.findLastIndex(isName) + 1)
  return { verbs: name.length < words.length, name: name.join(' ') }
}

interface Power {
  readonly action: PowerAction
  readonly label: string
  readonly keywords?: string
  readonly message: string
  readonly confirm?: string
}

function powerOf(server: Server): readonly Power[] {
  const named = { server: server.name }
  const stop = stopWords(server)
  const messages: Readonly<Record<typeof stop.effect, string>> = {
    ends: t.isStopping(named),
    cancels_restart: t.restartCancelled(named),
    marks_stopped: t.isStopped(named),
  }
  return [
    { action: 'start', label: t.startNamed(named), message: t.isStarting(named) },
    {
      action: 'stop',
      label: stop.named,
      message: messages[stop.effect],
      ...(stop.asks ? { confirm: t.disconnects } : { keywords: t.stopNamed(named) }),
    },
    {
      action: 'restart',
      label: t.restartNamed(named),
      message: t.isRestarting(named),
      confirm: t.disconnects,
    },
    {
      action: 'kill',
      label: t.killNamed(named),
      message: t.isKilled(named),
      confirm: t.losesUnsaved,
    },
  ]
}

const BACK_UP = 'POST /api/servers/{id}/backups'

function backupsOf(client: QueryClient, server: Server, group: string): Found[] {
  const params = { id: server.id }
  const named = { server: server.name }
  return [
    {
      id: `${server.id} backup`,
      group,
      label: t.backUpNamed(named),
      disabledBecause: server.nodeOnline
        ? whyNotNow('backup', server.status)
        : t.nodeAway({ node: server.nodeName }),
      call: callOf(BACK_UP, { params, body: {} }),
      run: async () => {
        await api(BACK_UP, { params, body: {} })
        void client.invalidateQueries({ queryKey: ['GET /api/jobs'] })
        return t.isBackingUp(named)
      },
    },
    {
      id: `${server.id} backups`,
      group,
      label: t.openBackupsOf(named),
      to: paths.serverBackups,
      params,
    },
  ]
}

/** For the host: the clone action on the server's settings page. */
function clonesOf(client: QueryClient, server: Server, group: string): Found[] {
  const isHost = client.getQueryData<Me>(meQuery.queryKey)?.role === 'admin'
  if (!isHost) return []
  const label = t.cloneNamed({ server: server.name })
  const { id } = server
  return [{ id: `${id} clone`, group, label, to: paths.serverSettings, params: { id } }]
}

/** All commands of the palette for one server. */
export function commandsFor(client: QueryClient, server: Server, group: string): Found[] {
  const params = { id: server.id }
  const named = { server: server.name }
  const isVm = server.kind === 'vm'
  return [
    {
      id: server.id,
      group,
      label: server.name,
      description: t.stateOnNode({ state: serverWord(server.status), node: server.nodeName }),
      to: paths.server,
      params,
    },
    ...powerOf(server).map(
      ({ action, message, ...command }): Found => ({
        id: `${server.id} ${action}`,
        group,
        ...command,
        disabledBecause: whyNoPower(action, server),
        call: powerCall(server, action),
        run: async () => {
          await askPower(client, server, action)
          return message
        },
      }),
    ),
    {
      id: `${server.id} console`,
      group,
      label: isVm ? t.openScreenOf(named) : t.openConsoleOf(named),
      to: isVm ? paths.serverScreen : paths.serverConsole,
      params,
    },
    ...(isVm
      ? []
      : [
          {
            id: `${server.id} files`,
            group,
            label: t.openFilesOf(named),
            keywords: t.filesKeywords,
            to: paths.serverFiles,
            params,
          },
        ]),
    ...backupsOf(client, server, group),
    {
      id: `${server.id} settings`,
      group,
      label: t.openSettingsOf(named),
      to: paths.serverSettings,
      params,
    },
    {
      id: `${server.id} move`,
      group,
      label: t.moveNamed(named),
      keywords: t.moveKeywords,
      to: paths.serverMove,
      params,
    },
    ...clonesOf(client, server, group),
    {
      id: `${server.id} metrics`,
      group,
      label: t.openMetricsOf(named),
      to: paths.serverMetrics,
      params,
    },
    {
      id: `${server.id} network`,
      group,
      label: t.openNetworkOf(named),
      to: paths.serverNetwork,
      params,
    },
  ]
}

/** For how many servers all commands are offered, when no verb narrows the choice. */
const NEAREST = 2

/** Finds servers by name, with their commands; on a server's page its own commands. */
export default async function findServers(
  client: QueryClient,
  text: string,
  path: string,
): Promise<readonly Found[]> {
  if (text.trim() === '') {
    const id = /^\/servers\/([^/]+)/.exec(path)?.[1] ?? ''
    const server = client.getQueryData<Server>(['GET /api/servers/{id}', { params: { id } }])
    return server === undefined ? [] : commandsFor(client, server, server.name)
  }
  const { verbs, name } = splitVerbs(text)
  const { items } = await client.fetchQuery(
    q('GET /api/servers', { query: { limit: 8, ...(name === '' ? {} : { q: name }) } }),
  )
  return items.flatMap((server, at) => {
    const all = commandsFor(client, server, names.servers)
    return verbs || at < NEAREST ? all : all.slice(0, 1)
  })
}
