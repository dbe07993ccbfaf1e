import type { Job } from '@lodge/shared/jobs.ts'
import { Link } from '@tanstack/react-router'
import ChevronRight from 'lucide-react/icons/chevron-right'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import X from 'lucide-react/icons/x'
import { useId, useState } from 'react'
import { callOf } from '../../command/call-of.ts'
import { said, saidReason } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Progress } from '../../ui/data/meter.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { JobPill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ShowCommand } from '../../ui/dialogs/show-command.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { jobNow } from './job-now.ts'
import { JobSteps } from './job-steps.tsx'
import styles from './jobs.module.css'
import { t } from './words.ts'

const LISTS = ['GET /api/jobs'] as const

/** Bytes and percentage of a job in words; empty when unknown. */
function amount({ bytes, percent }: Job): string {
  const parts: string[] = []
  if (percent !== null) parts.push(t.percent({ percent: Math.round(percent) }))
  if (bytes) {
    const done = formatBytes(bytes.done)
    parts.push(bytes.total === null ? done : t.doneOf({ done, total: formatBytes(bytes.total) }))
  }
  return parts.join(' · ')
}

/** One job as a line; its steps, log and actions below it on demand. */
export function JobRow({ job, onNavigate }: { job: Job; onNavigate?: () => void }) {
  const id = useId()
  const active = job.state === 'running' || job.state === 'waiting'
  const [open, setOpen] = useState(job.state === 'running')
  return (
    <li className={styles.job}>
      <div className={styles.line}>
        <button
          type="button"
          className={styles.title}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight className={styles.chevron} aria-hidden />
          <span>{said(job.title)}</span>
        </button>
        <span className={styles.about}>
          {job.serverId && job.serverName && !job.title.includes(job.serverName) ? (
            <Link
              to={paths.server}
              params={{ id: job.serverId }}
              {...(onNavigate ? { onClick: onNavigate } : {})}
            >
              {job.serverName}
            </Link>
          ) : null}
          {job.startedBy?.includes('@') ? <span>{job.startedBy}</span> : null}
        </span>
        <JobPill state={job.state} />
        <Text small muted>
          <Ago at={job.createdAt} />
        </Text>
      </div>
      {active ? (
        <div className={styles.progress}>
          <Progress label={t.progress({ job: said(job.title) })} percent={job.percent} />
          <Row between>
            <Text small muted>
              {jobNow(job)}
            </Text>
            <Text small muted>
              {amount(job)}
            </Text>
          </Row>
        </div>
      ) : null}
      {job.failure ? <p className={styles.failure}>{saidReason(job.failure.detail)}</p> : null}
      <div id={id} className={styles.below} hidden={!open}>
        {open ? (
          <>
            <JobSteps job={job} />
            <JobActions job={job} active={active} {...(onNavigate ? { onNavigate } : {})} />
          </>
        ) : null}
      </div>
    </li>
  )
}

function JobActions({
  job,
  active,
  onNavigate,
}: {
  job: Job
  active: boolean
  onNavigate?: () => void
}) {
  const cancel = useAct('POST /api/jobs/{id}/cancel', LISTS)
  const retry = useAct('POST /api/jobs/{id}/retry', LISTS)
  const refusal = cancel.error ?? retry.error
  const params = { id: job.id }
  const canCancel = job.cancellable && active
  const canRetry = job.retryable && job.state === 'failed'
  return (
    <>
      <Row gap={4}>
        {canCancel ? (
          <Button
            size="small"
            icon={<X />}
            busy={cancel.isPending}
            onClick={() => cancel.mutate({ params })}
          >
            {t.cancel}
          </Button>
        ) : null}
        {canRetry ? (
          <Button
            size="small"
            icon={<RotateCcw />}
            busy={retry.isPending}
            onClick={() => retry.mutate({ params })}
          >
            {t.retry}
          </Button>
        ) : null}
        {job.serverId && job.serverName ? (
          <Text small>
            <Link
              to={paths.server}
              params={{ id: job.serverId }}
              {...(onNavigate ? { onClick: onNavigate } : {})}
            >
              {t.openServer({ server: job.serverName })}
            </Link>
          </Text>
        ) : null}
      </Row>
      {canCancel || canRetry ? (
        <ShowCommand
          call={callOf(canCancel ? 'POST /api/jobs/{id}/cancel' : 'POST /api/jobs/{id}/retry', {
            params,
          })}
        />
      ) : null}
      {refusal ? <ProblemNote error={refusal} /> : null}
    </>
  )
}
