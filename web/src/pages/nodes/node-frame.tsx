import type { Node } from '@lodge/shared/nodes.ts'
import { Link, Outlet } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { NodePill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'
import { groupsOf } from './check-groups.ts'
import { JoinCard } from './join-card.tsx'
import { NodeActions } from './node-actions.tsx'
import { useNodeQuery } from './use-node.ts'

/** The header and tabs of one node; the command that joins it until it has joined. */
export default function NodeFrame() {
  const node = useNodeQuery()
  if (node.data) return <Shown node={node.data} />
  if (!node.isError) return <PageSkeleton />
  return (
    <Page title="Node" narrow crumbs={<Link to={paths.nodes}>Nodes</Link>}>
      <LoadFailed error={node.error} onRetry={() => void node.refetch()} />
    </Page>
  )
}

function Shown({ node }: { node: Node }) {
  return (
    <Page
      title={node.name}
      crumbs={<Link to={paths.nodes}>Nodes</Link>}
      beside={<NodePill state={node.state} />}
      lead={<Lead node={node} />}
      actions={<NodeActions node={node} />}
    >
      {node.state === 'enrolling' ? (
        <JoinCard node={node} />
      ) : (
        <>
          <Offline node={node} />
          <Tabs node={node} />
          <Outlet />
        </>
      )}
    </Page>
  )
}

function Lead({ node: { location, agentVersion, lastSeenAt } }: { node: Node }) {
  return (
    <>
      {location}
      {agentVersion === null ? '' : ` · agent ${agentVersion}`}
      {lastSeenAt === null ? null : (
        <>
          {' · seen '}
          <Ago at={lastSeenAt} />
        </>
      )}
    </>
  )
}

function Offline({ node }: { node: Node }) {
  if (node.state !== 'offline') return null
  return (
    <Note tone="warn" title={`${node.name} is not connected`}>
      {node.lastSeenAt === null ? (
        'It has never been connected.'
      ) : (
        <>
          It was last seen <Ago at={node.lastSeenAt} />. What you see here is from then.
        </>
      )}{' '}
      Its servers keep running, but can’t be changed until it is back.
    </Note>
  )
}

function Tabs({ node }: { node: Node }) {
  const params = { id: node.id }
  const { broken } = groupsOf(node)
  return (
    <TabBar label={`Parts of ${node.name}`}>
      <Tab to={paths.node} params={params} activeOptions={{ exact: true }}>
        Summary
      </Tab>
      <Tab to={paths.nodeServers} params={params}>
        Servers
      </Tab>
      <Tab to={paths.nodeMetrics} params={params}>
        Metrics
      </Tab>
      <Tab to={paths.nodeHardware} params={params}>
        Hardware
      </Tab>
      <Tab to={paths.nodeChecks} params={params}>
        {broken.length === 0 ? 'Checks' : `Checks (${broken.length} failed)`}
      </Tab>
      <Tab to={paths.nodeLog} params={params}>
        Agent log
      </Tab>
    </TabBar>
  )
}
