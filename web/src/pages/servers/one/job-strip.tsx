import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { said } from '../../../panel/said.ts'
import { q, useAct } from '../../../query.ts'
import { useMe, useMissing } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Progress } from '../../../ui/data/meter.tsx'
import { useNow } from '../../../ui/data/time.tsx'
import { duration } from '../../../ui/data/time-words.ts'
import { toastRefused } from '../../../ui/notices/toast.tsx'
import { jobNow } from '../../jobs/job-now.ts'
import styles from './server.module.css'
import { useLackingAction } from './use-rights.ts'
import { t } from './words.ts'

/** The server's running job with its current step. */
export function JobStrip({ server }: { server: Server }) {
  const { data } = useQuery(q('GET /api/jobs', { query: { limit: 25 } }))
  const cancel = useAct('POST /api/jobs/{id}/cancel', ['GET /api/jobs'])
  const me = useMe()
  const noCancel = useNoCancel(server)
  const now = useNow(1_000)
  const job = data?.items.find(
    (one) => one.serverId === server.id && (one.state === 'running' || one.state === 'waiting'),
  )
  if (!job) return null
  const passed = now - Date.parse(job.createdAt)
  const shown = { job: said(job.title), step: jobNow(job) }
  return (
    <div className={styles.job} role="status">
      <span>
        {passed > 10_000 && job.percent === null
          ? t.jobStill({ ...shown, duration: duration(passed) })
          : t.jobNow(shown)}
      </span>
      <Progress label={t.jobProgress({ job: said(job.title) })} percent={job.percent} />
      {job.cancellable ? (
        <Button
          kind="quiet"
          size="small"
          icon={<X />}
          busy={cancel.isPending}
          disabledBecause={job.startedBy === me.email ? undefined : noCancel}
          onClick={() =>
            cancel.mutate(
              { params: { id: job.id } },
              {
                onError: (error) =>
                  toastRefused(t.jobNotCancelled({ job: said(job.title) }), error),
              },
            )
          }
        >
          {t.cancelJob}
        </Button>
      ) : null}
    </div>
  )
}

/** Why this person cannot cancel somebody else's job; undefined when they can. */
function useNoCancel(server: Server): string | undefined {
  const me = useMe()
  const missing = useMissing()
  const lacking = useLackingAction(server.id)('stop')
  if (me.id === server.ownerId) return undefined
  return me.role === 'admin' ? missing('jobs.manage') : lacking
}
