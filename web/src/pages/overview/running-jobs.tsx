import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import JobList from '../jobs/job-list.tsx'
import { t } from './words.ts'

const MOST = 6

/** Jobs that run or wait; when there are none, the latest. */
export function RunningJobs() {
  const jobs = useQuery(q('GET /api/jobs', { query: { limit: 25 } }))
  const open = jobs.data?.items.filter(({ state }) => state === 'running' || state === 'waiting')
  const isIdle = open?.length === 0
  return (
    <Card
      title={isIdle ? t.latestJobs : t.runningJobs}
      flush
      actions={
        <LinkButton to={paths.jobs} size="small" kind="quiet">
          {t.allJobs}
        </LinkButton>
      }
    >
      <Loaded query={jobs}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t.noJobs} art="jobs" />
          ) : (
            <JobList jobs={(isIdle ? items : (open ?? [])).slice(0, MOST)} ungrouped />
          )
        }
      </Loaded>
    </Card>
  )
}
