import type { Job } from '@lodge/shared/jobs.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Segments } from '../../ui/choices/segments.tsx'
import { Pager } from '../../ui/data/pager.tsx'
import { Toolbar } from '../../ui/data/toolbar.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import JobList from './job-list.tsx'
import { wantedJobs } from './jobs-search.ts'
import { t } from './words.ts'

const ALL = 'all'

/** Jobs of everything that this person may see, newest first. */
export default function JobsPage() {
  const { after, show } = useSearch({ from: '/in/jobs' })
  const navigate = useNavigate({ from: paths.jobs })
  const jobs = useQuery(
    q('GET /api/jobs', { query: { limit: 25, ...wantedJobs(show), ...(after ? { after } : {}) } }),
  )
  // A job may have ended since the list was fetched.
  const isShown = ({ endedAt, state }: Job): boolean =>
    show === 'open' ? endedAt === null : show === undefined || state === show
  return (
    <Page title={t.title} lead={t.lead}>
      <Toolbar>
        <Segments
          label={t.shown}
          value={show ?? ALL}
          choices={[
            { value: ALL, label: t.all },
            { value: 'open', label: t.open },
            { value: 'failed', label: t.failed },
          ]}
          onChange={(next) =>
            void navigate({ search: next === ALL ? {} : { show: next }, replace: true })
          }
        />
      </Toolbar>
      <Card flush>
        <Loaded query={jobs}>
          {({ items }) =>
            items.some(isShown) || show === undefined ? (
              <JobList jobs={items.filter(isShown)} />
            ) : (
              <Empty title={show === 'open' ? t.noneOpen : t.noneFailed} art="jobs">
                {show === 'open' ? t.noneOpenText : t.noneFailedText}
              </Empty>
            )
          }
        </Loaded>
      </Card>
      <Pager
        shown={jobs.data?.items.length ?? 0}
        after={after}
        next={jobs.data?.nextCursor ?? null}
        onGo={(cursor) =>
          void navigate({
            search: { ...(show ? { show } : {}), ...(cursor ? { after: cursor } : {}) },
          })
        }
      />
    </Page>
  )
}
