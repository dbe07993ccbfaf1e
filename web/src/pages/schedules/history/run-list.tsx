import type { ScheduleRun, TaskResult } from '@lodge/shared/schedules.ts'
import { Link } from '@tanstack/react-router'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useId, useState } from 'react'
import { saidReason, why } from '../../../panel/said.ts'
import { paths } from '../../../paths.ts'
import { Ago, Since } from '../../../ui/data/time.tsx'
import { duration } from '../../../ui/data/time-words.ts'
import { Empty } from '../../../ui/notices/states.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { RunPill } from '../run-pill.tsx'
import styles from '../schedules.module.css'
import { actionName } from '../task-words.ts'
import { t } from '../words.ts'

/** Runs of a schedule, newest first, including those that did not begin. */
export function RunList({ runs }: { runs: readonly ScheduleRun[] }) {
  if (runs.length === 0)
    return (
      <Empty title={t.noRuns} art="calm">
        {t.noRunsText}
      </Empty>
    )
  return (
    <ol className={styles.runs} aria-label={t.history}>
      {runs.map((run, at) => (
        <Run key={run.id} run={run} isNewest={at === 0} />
      ))}
    </ol>
  )
}

function Run({ run, isNewest }: { run: ScheduleRun; isNewest: boolean }) {
  const id = useId()
  const [isOpen, setOpen] = useState(isNewest)
  return (
    <li>
      <button
        type="button"
        className={styles.run}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight aria-hidden />
        <RunPill state={run.state} />
        <span className={styles.runOf}>{startWords(run)}</span>
        <Took startedAt={run.startedAt} endedAt={run.endedAt} />
        <Text small muted>
          <Ago at={run.startedAt} />
        </Text>
      </button>
      <div id={id} className={styles.runBody} hidden={!isOpen}>
        {run.byNode ? <p>{t.byNode}</p> : null}
        {run.detail === null ? null : <p>{saidReason(run.detail)}</p>}
        <ol aria-label={t.tasks}>
          {run.tasks.map((task, at) => (
            <Task key={at} task={task} number={at + 1} />
          ))}
        </ol>
      </div>
    </li>
  )
}

const startWords = ({ byNode, startedBy }: ScheduleRun): string => {
  if (byNode) return t.onNode
  return startedBy === null ? t.byItself : t.startedBy({ person: startedBy })
}

interface TookProps {
  startedAt: string | null
  endedAt: string | null
}

/** The duration of a run, up to now if it is open. */
function Took({ startedAt, endedAt }: TookProps) {
  if (startedAt === null) return <span />
  return (
    <Text small muted>
      {endedAt === null ? (
        <Since at={startedAt} />
      ) : (
        duration(Date.parse(endedAt) - Date.parse(startedAt))
      )}
    </Text>
  )
}

function Task({ task, number }: { task: TaskResult; number: number }) {
  return (
    <li className={styles.result}>
      <span>{t.taskOf({ number, task: actionName(task.action) })}</span>
      <RunPill state={task.state} />
      <Took startedAt={task.startedAt} endedAt={task.endedAt} />
      {task.detail === null && task.jobId === null ? null : (
        <p>
          {why(task.detail)}{' '}
          {task.jobId === null ? null : <Link to={paths.jobs}>{t.openJobs}</Link>}
        </p>
      )}
    </li>
  )
}
