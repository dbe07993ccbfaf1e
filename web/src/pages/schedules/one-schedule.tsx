import type { Schedule, ScheduleOptions } from '@lodge/shared/schedules.ts'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { useSchedules } from './use-schedules.ts'
import { t } from './words.ts'

interface OneScheduleProps {
  children: (schedule: Schedule, options: ScheduleOptions) => ReactNode
}

/** The schedule in this page's address; it may have been deleted meanwhile. */
export function OneSchedule({ children }: OneScheduleProps) {
  const { id = '', scheduleId } = useParams({ strict: false })
  const schedules = useSchedules(id)
  return (
    <Loaded query={schedules}>
      {({ items, options }) => {
        const schedule = items.find((one) => one.id === scheduleId)
        if (schedule) return children(schedule, options)
        return (
          <Empty
            title={t.gone}
            art="missing"
            action={
              <LinkButton to={paths.serverSchedules} params={{ id }}>
                {t.backToList}
              </LinkButton>
            }
          />
        )
      }}
    </Loaded>
  )
}
