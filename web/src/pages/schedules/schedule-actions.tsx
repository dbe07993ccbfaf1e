import type { Schedule } from '@lodge/shared/schedules.ts'
import { useNavigate } from '@tanstack/react-router'
import History from 'lucide-react/icons/history'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { callOf } from '../../command/call-of.ts'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import type { MenuEntry } from '../../ui/buttons/menu.tsx'
import { RowActions } from '../../ui/data/row-actions.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { SCHEDULE_LISTS } from './lists.ts'
import { paramsOf, useRunNow, useWhyNot, whyBusy } from './use-schedules.ts'
import { titleOf } from './when-words.ts'
import { t } from './words.ts'

interface ScheduleActionsProps {
  schedule: Schedule
  /** On the schedule's own page, which has the other actions as buttons. */
  own?: boolean
}

/** The actions of one schedule. */
export function ScheduleActions({ schedule, own }: ScheduleActionsProps) {
  const navigate = useNavigate()
  const whyNot = useWhyNot(schedule.serverId)
  const run = useRunNow()
  const remove = useAct('DELETE /api/servers/{id}/schedules/{scheduleId}', SCHEDULE_LISTS)
  const [removing, setRemoving] = useState(false)
  const name = titleOf(schedule)
  const given = paramsOf(schedule)
  const whyNoRun = whyNot.run ?? whyBusy(schedule)
  const inRow: readonly MenuEntry[] = [
    {
      label: t.runNow,
      icon: <Play />,
      disabledBecause: whyNoRun,
      call: callOf('POST /api/servers/{id}/schedules/{scheduleId}/run', given),
      onSelect: () => run(schedule),
    },
    {
      label: t.openHistory,
      icon: <History />,
      onSelect: () => void navigate({ to: paths.schedule, params: given.params }),
    },
    {
      label: whyNot.change === undefined ? t.edit : t.look,
      icon: <Pencil />,
      onSelect: () => void navigate({ to: paths.editSchedule, params: given.params }),
    },
  ]
  const entries: readonly MenuEntry[] = [
    ...(own ? [] : inRow),
    {
      label: t.deleteEntry,
      icon: <Trash2 />,
      danger: true,
      separated: !own,
      disabledBecause: whyNot.delete,
      call: callOf('DELETE /api/servers/{id}/schedules/{scheduleId}', given),
      onSelect: () => setRemoving(true),
    },
  ]
  return (
    <>
      <RowActions label={t.actionsFor({ name })} entries={entries}>
        {own ? undefined : (
          <IconButton
            label={t.runOne({ name })}
            size="small"
            disabledBecause={whyNoRun}
            onClick={() => run(schedule)}
          >
            <Play />
          </IconButton>
        )}
      </RowActions>
      <ConfirmDialog
        opened={removing}
        onClose={() => setRemoving(false)}
        title={t.deleteTitle({ name })}
        verb={t.delete}
        onConfirm={async () => {
          await remove.mutateAsync(given)
          if (own) await navigate({ to: paths.serverSchedules, params: { id: schedule.serverId } })
        }}
      >
        {t.deleteText}
      </ConfirmDialog>
    </>
  )
}
