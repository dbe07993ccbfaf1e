import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Figure } from '../../ui/page/card.tsx'
import { Column, Grid } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ActivityCard } from './activity-card.tsx'
import { AttentionCard } from './attention-card.tsx'
import { CapacityCard } from './capacity-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import styles from './overview.module.css'
import { RunningJobs } from './running-jobs.tsx'
import { t } from './words.ts'

/** The administrators' start page: problems, figures, capacity, running jobs. */
export default function OverviewPage() {
  const overview = useQuery({ ...q('GET /api/overview'), refetchInterval: 15_000 })
  return (
    <Page title={t.overview}>
      <Loaded query={overview} lines={10}>
        {(found) => (
          <Column>
            <FirstSteps overview={found} />
            <AttentionCard items={found.attention} checkedAt={found.checkedAt} />
            <Figures overview={found} />
            {found.capacity.length > 0 ? <CapacityCard capacity={found.capacity} /> : null}
            <Grid least={420} gap={16} top>
              <ActivityCard />
              <RunningJobs />
            </Grid>
          </Column>
        )}
      </Loaded>
    </Page>
  )
}

/** Figures that lead to what they count. */
function Figures({ overview }: { overview: Reply<'GET /api/overview'> }) {
  const { servers, nodes, jobs, customers } = overview
  return (
    <Grid least={170}>
      <Link to={paths.servers} className={styles.figure ?? ''}>
        <Figure
          name={t.serversRunning}
          value={t.countOf({ count: servers.running, all: servers.total })}
          note={t.crashed({ count: servers.crashed })}
        />
      </Link>
      <Link to={paths.nodes} className={styles.figure ?? ''}>
        <Figure
          name={t.nodesOnline}
          value={t.countOf({ count: nodes.online, all: nodes.total })}
          note={t.cordoned({ count: nodes.cordoned })}
        />
      </Link>
      <Link to={paths.jobs} className={styles.figure ?? ''}>
        <Figure
          name={t.jobsRunning}
          value={jobs.running}
          note={t.failed({ count: jobs.failed24h })}
        />
      </Link>
      <Link to={paths.customers} className={styles.figure ?? ''}>
        <Figure name={t.customers} value={customers} />
      </Link>
    </Grid>
  )
}
