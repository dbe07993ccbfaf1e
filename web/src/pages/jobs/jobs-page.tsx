import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Pager } from '../../ui/data/pager.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import JobList from './job-list.tsx'
import { t } from './words.ts'

export default function JobsPage() {
  const { after } = useSearch({ from: '/in/jobs' })
  const navigate = useNavigate()
  const jobs = useQuery(q('GET /api/jobs', { query: { limit: 25, ...(after ? { after } : {}) } }))
  return (
    <Page title={t.title} lead={t.lead}>
      <Card flush>
        <Loaded query={jobs}>{(list) => <JobList jobs={list.items} />}</Loaded>
      </Card>
      <Pager
        shown={jobs.data?.items.length ?? 0}
        after={after}
        next={jobs.data?.nextCursor ?? null}
        onGo={(cursor) =>
          void navigate({ to: paths.jobs, search: cursor ? { after: cursor } : {} })
        }
      />
    </Page>
  )
}
