import type { Schedule } from '@lodge/shared/schedules.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { ENGLISH, inLanguage } from '@lodge/shared/words/bind.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { callOf } from '../../command/call-of.ts'
import type { Found } from '../../panel/define-pages.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { names } from './names.ts'
import { paramsOf, whyBusy } from './use-schedules.ts'
import { titleOf, whenWords } from './when-words.ts'
import { t } from './words.ts'

function run(schedule: Schedule, group: string): Found {
  const name = titleOf(schedule)
  const given = paramsOf(schedule)
  return {
    id: `run ${schedule.id}`,
    group,
    label: t.runNamed({ name }),
    description: whenWords(schedule),
    call: callOf('POST /api/servers/{id}/schedules/{scheduleId}/run', given),
    disabledBecause: whyBusy(schedule),
    run: async () => {
      await api('POST /api/servers/{id}/schedules/{scheduleId}/run', given)
      return t.runBegun({ name })
    },
  }
}

const listOf = ({ id, name }: Server, group: string): Found => ({
  id: `schedules ${id}`,
  group,
  label: t.schedulesOf({ server: name }),
  to: paths.serverSchedules,
  params: { id },
})

/** What the palette offers for the schedules of one server. */
async function ofServer(client: QueryClient, server: Server, group: string): Promise<Found[]> {
  const found = await client
    .fetchQuery(q('GET /api/servers/{id}/schedules', { params: { id: server.id } }))
    // People who may not see them still get the page, which explains that.
    .catch(() => ({ items: [] }))
  return [listOf(server, group), ...found.items.map((schedule) => run(schedule, group))]
}

/** The schedules of the server on the page, or of servers by name after the word "schedules". */
export default async function findSchedules(
  client: QueryClient,
  text: string,
  path: string,
): Promise<readonly Found[]> {
  const english = inLanguage(t, ENGLISH)
  const words = new Set([english.paletteWords, t.paletteWords].flatMap((all) => all.split(' ')))
  const beginnings = [english.paletteBeginning, t.paletteBeginning]
  const typed = text.trim().split(/\s+/)
  const name = typed.filter((word) => !words.has(word.toLowerCase())).join(' ')
  const isAsked = typed.some((word) =>
    beginnings.some((beginning) => word.toLowerCase().startsWith(beginning)),
  )
  const id = /^\/servers\/([^/]+)/.exec(path)?.[1] ?? ''
  const here = client.getQueryData<Server>(['GET /api/servers/{id}', { params: { id } }])
  if (text.trim() === '') return here ? [listOf(here, here.name)] : []
  if (!isAsked) return []
  const own = here ? await ofServer(client, here, names.schedules) : []
  if (name === '') return own
  const { items } = await client.fetchQuery(q('GET /api/servers', { query: { limit: 3, q: name } }))
  const others = items.filter((server) => server.id !== here?.id)
  const found = await Promise.all(others.map((one) => ofServer(client, one, names.schedules)))
  const wanted = name.toLowerCase()
  return [...own.filter(({ label }) => label.toLowerCase().includes(wanted)), ...found.flat()]
}
