import { RUNS_KEPT, type Schedule } from '@lodge/shared/schedules.ts'
import { useQuery } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import { useEffect } from 'react'
import { saidReason } from '../../../panel/said.ts'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Card, Facts } from '../../../ui/page/card.tsx'
import { Column, Row, Split, Text } from '../../../ui/page/layout.tsx'
import { callTab } from '../../../ui/page/page.tsx'
import { NextRun } from '../next-run.tsx'
import { OnSwitch } from '../on-switch.tsx'
import { OneSchedule } from '../one-schedule.tsx'
import { ScheduleActions } from '../schedule-actions.tsx'
import { taskWords } from '../task-words.ts'
import { useRunNow, useWhyNot, whyBusy } from '../use-schedules.ts'
import { titleOf, whenWords } from '../when-words.ts'
import { t } from '../words.ts'
import { RunList } from './run-list.tsx'

/** One schedule with the history of its runs. */
export default function SchedulePage() {
  return <OneSchedule>{(schedule) => <Shown schedule={schedule} />}</OneSchedule>
}

function Shown({ schedule }: { schedule: Schedule }) {
  const { serverId, id, problem } = schedule
  const params = { id: serverId, scheduleId: id }
  const name = titleOf(schedule)
  useEffect(() => callTab(name), [name])
  const whyNot = useWhyNot(serverId)
  const run = useRunNow()
  const runs = useQuery(
    q('GET /api/servers/{id}/schedules/{scheduleId}/runs', { params, query: { limit: RUNS_KEPT } }),
  )
  return (
    <Column>
      <Row between>
        <h2>{name}</h2>
        <Row>
          <ScheduleActions schedule={schedule} own />
          <LinkButton to={paths.editSchedule} params={params} icon={<Pencil />}>
            {whyNot.change === undefined ? t.edit : t.look}
          </LinkButton>
          <Button
            kind="primary"
            icon={<Play />}
            disabledBecause={whyNot.run ?? whyBusy(schedule)}
            onClick={() => run(schedule)}
          >
            {t.runNow}
          </Button>
        </Row>
      </Row>
      {problem === null ? null : (
        <Note tone="err" title={t.cannotRun}>
          {saidReason(problem)}
        </Note>
      )}
      <Split side={340}>
        <Card title={t.history} flush>
          <Loaded query={runs}>{({ items }) => <RunList runs={items} />}</Loaded>
        </Card>
        <Card title={t.about}>
          <About schedule={schedule} />
        </Card>
      </Split>
    </Column>
  )
}

const About = ({ schedule }: { schedule: Schedule }) => (
  <Facts
    rows={[
      [t.isOn, <OnSwitch key="on" schedule={schedule} />],
      [t.when, whenWords(schedule)],
      [t.nextRun, <NextRun key="next" schedule={schedule} />],
      [
        t.tasks,
        <ol key="tasks">
          {schedule.tasks.map((task, at) => (
            <li key={at}>{t.taskOf({ number: at + 1, task: taskWords(task) })}</li>
          ))}
        </ol>,
      ],
      [t.missedRuns, { skip: t.missedSkip, once: t.missedOnce, all: t.missedAll }[schedule.missed]],
      [
        t.rightsOf,
        schedule.author === null ? (
          <Text key="author" muted>
            {t.authorGone}
          </Text>
        ) : (
          schedule.author
        ),
      ],
    ]}
  />
)
