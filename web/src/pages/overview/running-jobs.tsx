import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import JobList from '../jobs/job-list.tsx'

/** Jobs in progress. */
export function RunningJobs() {
  const jobs = useQuery(q('GET /api/jobs', { query: { limit: 25 } }))
  return (
    <Card
      title="Jobs under way"
      actions={
        <LinkButton to={paths.jobs} size="small" kind="quiet">
          All jobs
        </LinkButton>
      }
    >
      <Loaded query={jobs}>
        {({ items }) => {
          const open = items.filter((job) => job.state === 'running' || job.state === 'waiting')
          return open.length === 0 ? (
            <Empty title="Nothing is under way" art="jobs" />
          ) : (
            <JobList jobs={open} />
          )
        }}
      </Loaded>
    </Card>
  )
}
