import type { Schedule } from '@lodge/shared/schedules.ts'
import { useAct } from '../../query.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { SCHEDULE_LISTS } from './lists.ts'
import { paramsOf, useWhyNot } from './use-schedules.ts'
import { titleOf } from './when-words.ts'
import { t } from './words.ts'

/** Turns a schedule on or off. */
export function OnSwitch({ schedule }: { schedule: Schedule }) {
  const whyNot = useWhyNot(schedule.serverId).change
  const change = useAct('PATCH /api/servers/{id}/schedules/{scheduleId}', SCHEDULE_LISTS)
  const name = titleOf(schedule)
  const shown = change.isPending ? change.variables.body?.enabled === true : schedule.enabled
  return (
    <SwitchField
      label={shown ? t.on : t.off}
      name={t.switchOf({ name })}
      value={shown}
      disabled={change.isPending || whyNot !== undefined}
      onChange={(enabled) =>
        change.mutate(
          { ...paramsOf(schedule), body: { enabled } },
          { onError: (error) => toastRefused(t.notChanged({ name }), error) },
        )
      }
    />
  )
}
