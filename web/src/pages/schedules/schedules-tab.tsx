import type { Schedule } from '@lodge/shared/schedules.ts'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { why } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { useServer } from '../servers/one/use-server.ts'
import { EmptySchedules } from './empty-schedules.tsx'
import { NextRun } from './next-run.tsx'
import { OnSwitch } from './on-switch.tsx'
import { RunPill } from './run-pill.tsx'
import { ScheduleActions } from './schedule-actions.tsx'
import styles from './schedules.module.css'
import { useSchedules, useWhyFull, useWhyNot } from './use-schedules.ts'
import { titleOf, whenWords } from './when-words.ts'
import { t } from './words.ts'

const columns = (): readonly Column<Schedule>[] => [
  {
    header: t.schedule,
    role: 'title',
    cell: (schedule) => (
      <div className={styles.name}>
        <Link
          to={paths.schedule}
          params={{ id: schedule.serverId, scheduleId: schedule.id }}
          data-opens
        >
          {titleOf(schedule)}
        </Link>
        <small>
          {schedule.name === null
            ? t.taskCount({ count: schedule.tasks.length })
            : whenWords(schedule)}
        </small>
        {schedule.runsAlone ? <small>{t.runsAlone}</small> : null}
      </div>
    ),
  },
  { header: t.nextRun, cell: (schedule) => <NextRun schedule={schedule} /> },
  {
    header: t.lastRun,
    cell: ({ lastRun }) =>
      lastRun === null ? (
        <Text muted>{t.notYet}</Text>
      ) : (
        <Row gap={8} nowrap>
          <RunPill state={lastRun.state} title={why(lastRun.detail) ?? null} />
          <Text small muted>
            <Ago at={lastRun.startedAt} />
          </Text>
        </Row>
      ),
  },
  { header: t.isOn, cell: (schedule) => <OnSwitch schedule={schedule} /> },
  { header: t.actions, role: 'acts', cell: (schedule) => <ScheduleActions schedule={schedule} /> },
]

/** The schedules of a server. */
export default function SchedulesTab() {
  const server = useServer()
  const schedules = useSchedules(server.id)
  const whyNot = useWhyNot(server.id)
  const { items = [], options } = schedules.data ?? {}
  const whyFull = useWhyFull(server, items.length, options?.most)
  const whyNoNew = whyNot.create ?? whyFull
  return (
    <Card
      title={t.schedules}
      flush
      actions={
        whyNoNew === undefined ? (
          <LinkButton
            to={paths.newSchedule}
            params={{ id: server.id }}
            kind="primary"
            size="small"
            icon={<Plus />}
          >
            {t.newSchedule}
          </LinkButton>
        ) : (
          <Button size="small" icon={<Plus />} disabledBecause={whyNoNew}>
            {t.newSchedule}
          </Button>
        )
      }
    >
      <Loaded query={schedules}>
        {(found) => (
          <Table
            label={t.schedules}
            rows={found.items}
            columns={columns()}
            keyOf={({ id }) => id}
            keys
            empty={<EmptySchedules server={server} options={found.options} whyNot={whyNoNew} />}
          />
        )}
      </Loaded>
    </Card>
  )
}
