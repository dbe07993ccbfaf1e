import type { LimitKey } from '@lodge/shared/limits/keys.ts'
import { MOST_SCHEDULES, type Schedule } from '@lodge/shared/schedules.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q, useAct } from '../../query.ts'
import { useMe } from '../../session/session.ts'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { useLacking } from '../servers/one/use-rights.ts'
import { SCHEDULE_LISTS } from './lists.ts'
import { titleOf } from './when-words.ts'
import { t } from './words.ts'

/** The schedules of a server, and the actions that they support. */
export const useSchedules = (serverId: string) =>
  useQuery(q('GET /api/servers/{id}/schedules', { params: { id: serverId } }))

/** Why the signed-in person cannot do these things; undefined where they can. */
export function useWhyNot(serverId: string) {
  const lacking = useLacking(serverId)
  return {
    create: lacking('POST /api/servers/{id}/schedules', 'schedules.manage'),
    change: lacking('PATCH /api/servers/{id}/schedules/{scheduleId}', 'schedules.manage'),
    delete: lacking('DELETE /api/servers/{id}/schedules/{scheduleId}', 'schedules.manage'),
    run: lacking('POST /api/servers/{id}/schedules/{scheduleId}/run', 'schedules.run'),
  }
}

/** Why a server can have no more schedules; people know only the limits of their own servers. */
export function useWhyFull(server: Pick<Server, 'ownerId'>, count: number, most = MOST_SCHEDULES) {
  const me = useMe()
  const own = me.id === server.ownerId && me.role === 'customer'
  const { data } = useQuery({ ...q('GET /api/limits/me'), staleTime: 60_000, enabled: own })
  if (count >= most) return t.full({ most })
  if (!own || !data?.enforced) return undefined
  const limitOf = (key: LimitKey) => data.limits.find((one) => one.key === key)?.value
  if (limitOf('maySchedules') === false) return t.notGranted
  const granted = limitOf('maxServerSchedules')
  return typeof granted === 'number' && count >= granted ? t.limitReached({ granted }) : undefined
}

export const paramsOf = ({ serverId, id }: Pick<Schedule, 'serverId' | 'id'>) => ({
  params: { id: serverId, scheduleId: id },
})

/** Starts a run and reports that; its result arrives through the event stream. */
export function useRunNow() {
  const run = useAct('POST /api/servers/{id}/schedules/{scheduleId}/run', SCHEDULE_LISTS)
  return (schedule: Schedule): void => {
    const name = titleOf(schedule)
    run.mutate(paramsOf(schedule), {
      onSuccess: () => toastDone(t.runBegun({ name })),
      onError: (error) => toastRefused(t.runRefused({ name }), error),
    })
  }
}

/** Why a run cannot begin now: another one is open. */
export const whyBusy = ({ lastRun }: Schedule): string | undefined =>
  lastRun?.state === 'running' ? t.stillRunning : undefined
