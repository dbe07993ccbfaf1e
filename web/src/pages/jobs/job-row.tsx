import type { Job } from '@lodge/shared/jobs.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { Link } from '@tanstack/react-router'
import ChevronDown from 'lucide-react/icons/chevron-down'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Progress } from '../../ui/data/meter.tsx'
import { JobPill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { jobNow } from './job-now.ts'
import { JobSteps } from './job-steps.tsx'
import styles from './jobs.module.css'

const LISTS = ['GET /api/jobs'] as const

/** Bytes and percentage of a job in words; empty when unknown. */
function amount({ bytes, percent }: Job): string {
  const parts: string[] = []
  if (percent !== null) parts.push(`${Math.round(percent)} %`)
  if (bytes) {
    const total = bytes.total === null ? '' : ` of ${formatBytes(bytes.total)}`
    parts.push(`${formatBytes(bytes.done)}${total}`)
  }
  return parts.join(' · ')
}

/** One job: its kind, server and progress; steps and log on demand. */
export function JobRow({ job, onNavigate }: { job: Job; onNavigate?: () => void }) {
  const [open, setOpen] = useState(job.state === 'running')
  const cancel = useAct('POST /api/jobs/{id}/cancel', LISTS)
  const retry = useAct('POST /api/jobs/{id}/retry', LISTS)
  const active = job.state === 'running' || job.state === 'waiting'
  const refusal = cancel.error ?? retry.error
  const params = { id: job.id }
  return (
    <li className={styles.job}>
      <Row between nowrap>
        <Text strong>{job.title}</Text>
        <JobPill state={job.state} />
      </Row>
      <Row gap={6}>
        <Text small muted>
          {job.serverId && job.serverName ? (
            <Link
              to={paths.server}
              params={{ id: job.serverId }}
              {...(onNavigate ? { onClick: onNavigate } : {})}
            >
              {job.serverName}
            </Link>
          ) : null}{' '}
          <Ago at={job.createdAt} />
          {job.startedBy?.includes('@') ? ` by ${job.startedBy}` : ''}
        </Text>
      </Row>
      {active ? (
        <>
          <Progress label={`Progress of ${job.title}`} percent={job.percent} />
          <Row between>
            <Text small muted>
              {jobNow(job)}
            </Text>
            <Text small muted>
              {amount(job)}
            </Text>
          </Row>
        </>
      ) : null}
      {job.failure ? <Text small>{job.failure.detail}</Text> : null}
      <Row gap={4}>
        <Button
          kind="quiet"
          size="small"
          aria-expanded={open}
          icon={<ChevronDown className={open ? styles.up : ''} />}
          onClick={() => setOpen(!open)}
        >
          Details
        </Button>
        {job.cancellable && active ? (
          <Button
            kind="quiet"
            size="small"
            icon={<X />}
            busy={cancel.isPending}
            onClick={() => cancel.mutate({ params })}
          >
            Cancel
          </Button>
        ) : null}
        {job.retryable && job.state === 'failed' ? (
          <Button
            kind="quiet"
            size="small"
            icon={<RotateCcw />}
            busy={retry.isPending}
            onClick={() => retry.mutate({ params })}
          >
            Try again
          </Button>
        ) : null}
      </Row>
      {refusal ? <ProblemNote error={refusal} /> : null}
      {open ? <JobSteps job={job} /> : null}
    </li>
  )
}
