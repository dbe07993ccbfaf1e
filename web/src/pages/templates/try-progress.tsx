import type { Job } from '@lodge/shared/jobs.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Reply } from '../../api.ts'
import { why } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { q, useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { Output } from '../../ui/panes/output.tsx'
import { JobSteps } from '../jobs/job-steps.tsx'
import { plainLine } from '../servers/one/plain-line.ts'
import { t } from './words.ts'

export type Tried = Reply<'POST /api/templates/{id}/try'>

const OFTEN_MS = 1_500
const hasEnded = (job: Job | undefined): boolean => job !== undefined && job.endedAt !== null

/** The progress of a trial run: its steps, its output, and whether it became ready. */
export function TryProgress({ tried, onAgain }: { tried: Tried; onAgain: () => void }) {
  const { serverId, jobId, deleteAt } = tried
  const params = { id: serverId }
  const remove = useAct('DELETE /api/servers/{id}', ['GET /api/servers', 'GET /api/jobs'])
  const job = useQuery({
    ...q('GET /api/jobs/{id}', { params: { id: jobId } }),
    refetchInterval: ({ state }) => (hasEnded(state.data) ? false : OFTEN_MS),
  })
  const ended = hasEnded(job.data)
  return (
    <Column>
      {job.data?.state === 'done'
        ? null
        : tried.warnings.map((warning) => (
            <Note key={warning} tone="warn">
              {t.warning({ warning })}
            </Note>
          ))}
      <Loaded query={job} lines={4}>
        {(found) => (
          <Column>
            <Outcome job={found} />
            <JobSteps job={found} />
          </Column>
        )}
      </Loaded>
      <Log serverId={serverId} source="install" label={t.installOutput} ended={ended} />
      <Log serverId={serverId} source="run" label={t.serverOutput} ended={ended} />
      {remove.error ? <ProblemNote error={remove.error} /> : null}
      {remove.isSuccess ? (
        <Note tone="ok" role="status">
          {t.beingDeleted}
        </Note>
      ) : (
        <Text small muted>
          {rich(t.deletedAt({ when: () => <Ago key="when" at={deleteAt} /> }))}
        </Text>
      )}
      <Row>
        {remove.isSuccess ? (
          <Button kind="primary" onClick={onAgain}>
            {t.tryAgain}
          </Button>
        ) : (
          <Button busy={remove.isPending} onClick={() => remove.mutate({ params, query: {} })}>
            {t.deleteNow}
          </Button>
        )}
        {remove.isSuccess ? null : (
          <LinkButton kind="quiet" to={paths.serverConsole} params={params}>
            {t.openConsole}
          </LinkButton>
        )}
      </Row>
    </Column>
  )
}

function Outcome({ job }: { job: Job }) {
  if (job.endedAt === null) return null
  if (job.state === 'done') {
    const seconds = Math.round((Date.parse(job.endedAt) - Date.parse(job.createdAt)) / 1000)
    return (
      <Note tone="ok" role="status" title={t.readyAfter({ seconds })}>
        {t.readyText}
      </Note>
    )
  }
  return (
    <Note tone="err" role="alert" title={t.notReady}>
      {why(job.failure?.detail) ?? t.replaced}
    </Note>
  )
}

interface LogProps {
  serverId: string
  source: 'install' | 'run'
  label: string
  ended: boolean
}

/** The output so far; nothing without any. */
function Log({ serverId, source, label, ended }: LogProps) {
  const log = useQuery({
    ...q('GET /api/servers/{id}/logs', {
      params: { id: serverId },
      query: { source, lines: 300 },
    }),
    refetchInterval: ended ? false : OFTEN_MS,
    retry: false,
  })
  const { refetch } = log
  // Fetches once more at the end: the last lines often have the reason of a failure.
  useEffect(() => {
    if (ended) void refetch()
  }, [ended, refetch])
  const lines = log.data?.lines ?? []
  if (lines.length === 0) return null
  return (
    <div>
      <Text small strong>
        {label}
      </Text>
      <Output label={label} text={lines.map(plainLine).join('\n')} most={200} />
    </div>
  )
}
