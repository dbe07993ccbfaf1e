import type { Server } from '@lodge/shared/servers.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Found } from '../../panel/define-pages.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { serverWord } from '../../ui/data/status.tsx'
import { askPower, type PowerAction, powerCall, whyNoPower } from './power.ts'

/** What people type before the name of a server, as in "open console of lobby". */
const VERBS = new Set(
  'start stop restart kill open show go to of the console screen server settings metrics network'.split(
    ' ',
  ),
)

/** Splits what was typed into verbs and the rest, which is searched for. */
export function splitVerbs(text: string): { readonly verbs: boolean; readonly name: string } {
  const words = text.trim().split(/\s+/)
  const first = words.findIndex((word) => !VERBS.has(word.toLowerCase()))
  const name = first === -1 ? [] : words.slice(first)
  return { verbs: name.length < words.length, name: name.join(' ') }
}

const POWER: Readonly<Record<PowerAction, { verb: string; told: string; confirm?: string }>> = {
  start: { verb: 'Start', told: 'is starting' },
  stop: {
    verb: 'Stop',
    told: 'is stopping',
    confirm: 'Everybody who is connected to it is disconnected.',
  },
  restart: {
    verb: 'Restart',
    told: 'is restarting',
    confirm: 'Everybody who is connected to it is disconnected.',
  },
  kill: {
    verb: 'Kill',
    told: 'is being ended',
    confirm: 'The process ends at once, without saving. What it has not written to disk is lost.',
  },
}

/** The pages of a server, under the names that people look for. */
const PAGES = [
  { word: 'settings', to: paths.serverSettings },
  { word: 'metrics', to: paths.serverMetrics },
  { word: 'network', to: paths.serverNetwork },
] as const

/** Everything that the palette offers for one server. */
export function commandsFor(client: QueryClient, server: Server, group: string): Found[] {
  const params = { id: server.id }
  const isVm = server.kind === 'vm'
  return [
    {
      id: server.id,
      group,
      label: server.name,
      description: `${serverWord(server.status)} · ${server.nodeName}`,
      to: paths.server,
      params,
    },
    ...(Object.keys(POWER) as PowerAction[]).map((action): Found => {
      const { verb, told, confirm } = POWER[action]
      return {
        id: `${server.id} ${action}`,
        group,
        label: `${verb} ${server.name}`,
        disabledBecause: whyNoPower(action, server),
        ...(confirm === undefined ? {} : { confirm }),
        call: powerCall(server, action),
        run: async () => {
          await askPower(client, server, action)
          return `${server.name} ${told}.`
        },
      }
    }),
    {
      id: `${server.id} console`,
      group,
      label: `Open ${isVm ? 'screen' : 'console'} of ${server.name}`,
      to: isVm ? paths.serverScreen : paths.serverConsole,
      params,
    },
    ...PAGES.map(
      ({ word, to }): Found => ({
        id: `${server.id} ${word}`,
        group,
        label: `Open ${word} of ${server.name}`,
        to,
        params,
      }),
    ),
  ]
}

/** Of how many servers all commands are offered, when no verb says which is meant. */
const NEAREST = 2

/** Finds servers by name, with what can be done with them; on a server's page its own commands. */
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
    const all = commandsFor(client, server, 'Servers')
    return verbs || at < NEAREST ? all : all.slice(0, 1)
  })
}
