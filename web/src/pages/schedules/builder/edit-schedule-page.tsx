import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { paths } from '../../../paths.ts'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { callTab } from '../../../ui/page/page.tsx'
import { OneSchedule } from '../one-schedule.tsx'
import { titleOf } from '../when-words.ts'
import { t } from '../words.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { valuesOf } from './schedule-values.ts'

/** Changes a schedule; read-only for people who may not. */
export default function EditSchedulePage() {
  useEffect(() => callTab(t.editSchedule), [])
  return (
    <OneSchedule>
      {(schedule, options) => (
        <Column gap={24}>
          <Row between>
            <h2>{titleOf(schedule)}</h2>
            <Text small>
              <Link to={paths.schedule} params={{ id: schedule.serverId, scheduleId: schedule.id }}>
                {t.openHistory}
              </Link>
            </Text>
          </Row>
          <ScheduleForm
            serverId={schedule.serverId}
            schedule={schedule}
            initial={valuesOf(schedule)}
            options={options}
            onDone={(saved) => toastDone(t.saved, titleOf(saved))}
          />
        </Column>
      )}
    </OneSchedule>
  )
}
