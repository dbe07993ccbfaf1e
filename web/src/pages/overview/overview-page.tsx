import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Figure } from '../../ui/page/card.tsx'
import { Column, Grid } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ActivityCard } from './activity-card.tsx'
import { AttentionCard } from './attention-card.tsx'
import { CapacityCard } from './capacity-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { RunningJobs } from './running-jobs.tsx'

/** The administrators' start page: problems, figures, capacity, running jobs. */
export default function OverviewPage() {
  const overview = useQuery({ ...q('GET /api/overview'), refetchInterval: 15_000 })
  return (
    <Page
      title="Overview"
      lead={
        overview.data ? (
          <>
            Checked <Ago at={overview.data.checkedAt} />
          </>
        ) : undefined
      }
    >
      <Loaded query={overview} lines={10}>
        {(found) => (
          <Column>
            <FirstSteps overview={found} />
            <AttentionCard items={found.attention} />
            <Grid least={170}>
              <Figure
                name="Servers running"
                value={`${found.servers.running} of ${found.servers.total}`}
                note={
                  found.servers.crashed > 0 ? `${found.servers.crashed} crashed` : 'none crashed'
                }
              />
              <Figure
                name="Nodes online"
                value={`${found.nodes.online} of ${found.nodes.total}`}
                note={
                  found.nodes.cordoned > 0 ? `${found.nodes.cordoned} cordoned` : 'none cordoned'
                }
              />
              <Figure
                name="Jobs under way"
                value={found.jobs.running}
                note={`${found.jobs.failed24h} failed in 24 hours`}
              />
              <Figure name="Customers" value={found.customers} />
            </Grid>
            {found.capacity.length > 0 ? <CapacityCard capacity={found.capacity} /> : null}
            <Grid least={420} gap={16}>
              <ActivityCard />
              <RunningJobs />
            </Grid>
          </Column>
        )}
      </Loaded>
    </Page>
  )
}
