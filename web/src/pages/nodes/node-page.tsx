import { formatOpening } from '@lodge/shared/network-opening.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { NodePill } from '../../ui/data/status.tsx'
import { Ago, Since } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Grid, Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { capacitiesOf } from './capacity.ts'
import { Checks } from './checks.tsx'
import { ImagesCard } from './images-card.tsx'
import { JoinCard } from './join-card.tsx'
import { NodeActions } from './node-actions.tsx'
import { NodeServers } from './node-servers.tsx'
import { VirtualizationCard } from './virtualization-card.tsx'

const NodeMetrics = lazy(() => import('./metrics/node-metrics.tsx'))

/** One node: its capacity, servers, metrics and checks. */
export default function NodePage() {
  const { id } = useParams({ from: '/in/admin/nodes/$id' })
  const node = useQuery(q('GET /api/nodes/{id}', { params: { id } }))
  if (node.data) return <Shown node={node.data} />
  if (!node.isError) return <PageSkeleton />
  return (
    <Page title="Node" narrow>
      <LoadFailed error={node.error} onRetry={() => void node.refetch()} />
    </Page>
  )
}

/** The kinds of servers that a node accepts, in words. */
function canRun({ capabilities }: Node): string {
  if (capabilities.length === 0) return 'unknown'
  const kinds = [
    ...(capabilities.includes('container') ? ['Containers'] : []),
    ...(capabilities.includes('machine') ? ['Virtual machines'] : []),
  ]
  return kinds.join(', ') || 'nothing yet: see the checks'
}

function Shown({ node }: { node: Node }) {
  return (
    <Page
      title={node.name}
      crumbs={<Link to={paths.nodes}>Nodes</Link>}
      beside={<NodePill state={node.state} />}
      lead={
        <>
          {node.location}
          {node.agentVersion === null ? '' : ` · agent ${node.agentVersion}`}
          {node.lastSeenAt ? (
            <>
              {' '}
              · seen <Ago at={node.lastSeenAt} />
            </>
          ) : null}
        </>
      }
      actions={<NodeActions node={node} />}
    >
      {node.state === 'offline' ? (
        <Note tone="warn" title={`${node.name} is not connected`}>
          {node.lastSeenAt === null ? (
            'It has never been connected.'
          ) : (
            <>
              It has been silent since <Ago at={node.lastSeenAt} />.
            </>
          )}{' '}
          Its servers keep running; they cannot be changed until it is back. What is shown is the
          last that was known.
        </Note>
      ) : null}
      {node.state === 'enrolling' ? <JoinCard node={node} /> : null}
      <Card title="Room">
        <Grid least={260} gap={20}>
          {capacitiesOf(node).map((capacity) => (
            <Meter key={capacity.label} {...capacity} />
          ))}
        </Grid>
      </Card>
      <NodeServers node={node} />
      {node.state === 'enrolling' ? null : (
        <Suspense>
          <NodeMetrics node={node} />
        </Suspense>
      )}
      <Grid least={300} gap={16} top>
        <Card title="Checks">
          <Checks node={node} />
        </Card>
        <ImagesCard node={node} />
        {node.state === 'enrolling' ? null : <VirtualizationCard node={node} />}
        <Card title="Details">
          <Facts
            rows={[
              [
                'Address',
                node.address ?? (
                  <Text key="a" faint>
                    none
                  </Text>
                ),
              ],
              [
                'Ports',
                node.portRanges.map(({ from, to }) => `${from}–${to}`).join(', ') || 'none',
              ],
              [
                'Open networks',
                node.openNetworks.map(formatOpening).join(', ') || 'only the public internet',
              ],
              ['Headroom', `${node.headroomMb} MiB`],
              ['Cores', node.usage?.cpuCores ?? '–'],
              ['Can run', canRun(node)],
              [
                'Connected',
                node.connectedSince ? <Since key="c" at={node.connectedSince} /> : 'no',
              ],
              ['Added', <Ago key="x" at={node.createdAt} />],
            ]}
          />
        </Card>
      </Grid>
    </Page>
  )
}
