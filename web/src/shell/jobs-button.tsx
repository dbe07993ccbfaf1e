import { useQuery } from '@tanstack/react-query'
import ListChecks from 'lucide-react/icons/list-checks'
import { useState } from 'react'
import { q } from '../query.ts'
import { Button } from '../ui/buttons/button.tsx'
import { SidePanel } from '../ui/dialogs/dialog.tsx'
import { Skeletons } from '../ui/notices/states.tsx'
import { Hidden } from '../ui/page/layout.tsx'
import { part } from '../ui/page/part.tsx'
import { rich } from '../ui/page/rich.ts'
import { useStarted } from '../ui/page/turns.ts'
import styles from './shell.module.css'
import { t } from './words.ts'

const JobList = part(() => import('../pages/jobs/job-list.tsx'))

/** The number of running jobs; opens the drawer with recent ones. */
export function JobsButton() {
  const [opened, setOpened] = useState(false)
  const { data } = useQuery({
    ...q('GET /api/jobs', { query: { limit: 25 } }),
    enabled: useStarted(),
  })
  const active =
    data?.items.filter((job) => job.state === 'running' || job.state === 'waiting').length ?? 0
  const close = () => setOpened(false)
  return (
    <>
      <Button kind="quiet" icon={<ListChecks />} onClick={() => setOpened(true)}>
        {active > 0 ? (
          rich(
            t.jobsUnderWay({
              count: active,
              badge: (text) => <span className={styles.badge}>{text}</span>,
              hidden: (text) => <Hidden>{text}</Hidden>,
            }),
          )
        ) : (
          <Hidden>{t.jobs}</Hidden>
        )}
      </Button>
      <SidePanel title={t.jobs} opened={opened} onClose={close}>
        <JobList
          jobs={data?.items ?? []}
          onNavigate={close}
          onLost={close}
          fallback={<Skeletons />}
        />
      </SidePanel>
    </>
  )
}
