import { useQuery } from '@tanstack/react-query'
import ListChecks from 'lucide-react/icons/list-checks'
import { lazy, Suspense, useState } from 'react'
import { q } from '../query.ts'
import { Button } from '../ui/buttons/button.tsx'
import { SidePanel } from '../ui/dialogs/dialog.tsx'
import { Skeletons } from '../ui/notices/states.tsx'
import { Hidden } from '../ui/page/layout.tsx'
import styles from './shell.module.css'

const JobList = lazy(() => import('../pages/jobs/job-list.tsx'))

/** The number of running jobs; opens the drawer with recent ones. */
export function JobsButton() {
  const [opened, setOpened] = useState(false)
  const { data } = useQuery(q('GET /api/jobs', { query: { limit: 25 } }))
  const active =
    data?.items.filter((job) => job.state === 'running' || job.state === 'waiting').length ?? 0
  return (
    <>
      <Button kind="quiet" icon={<ListChecks />} onClick={() => setOpened(true)}>
        <Hidden>Jobs</Hidden>
        {active > 0 ? <span className={styles.badge}>{active}</span> : null}
        <Hidden>{active > 0 ? 'under way' : ''}</Hidden>
      </Button>
      <SidePanel title="Jobs" opened={opened} onClose={() => setOpened(false)}>
        <Suspense fallback={<Skeletons />}>
          <JobList jobs={data?.items ?? []} onNavigate={() => setOpened(false)} />
        </Suspense>
      </SidePanel>
    </>
  )
}
