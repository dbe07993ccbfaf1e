import type { Node } from '@lodge/shared/nodes.ts'
import { Link, Outlet } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useMissing } from '../../session/session.ts'
import { NodePill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { isGone, LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { rich } from '../../ui/page/rich.ts'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'
import { AgentUpdate } from './agent-updates.tsx'
import { groupsOf } from './check-groups.ts'
import { CordonNote } from './cordon-note.tsx'
import { JoinCard } from './join-card.tsx'
import { NodeActions } from './node-actions.tsx'
import { useNodeQuery } from './use-node.ts'
import { t } from './words.ts'

/** The header and tabs of one node; the command that joins it until it has joined. */
export default function NodeFrame() {
  const node = useNodeQuery()
  if (node.data && !isGone(node.error)) return <Shown node={node.data} />
  if (!node.isError) return <PageSkeleton />
  return (
    <Page title={t.node} narrow crumbs={<Link to={paths.nodes}>{t.nodes}</Link>}>
      <LoadFailed error={node.error} onRetry={() => void node.refetch()} />
    </Page>
  )
}

function Shown({ node }: { node: Node }) {
  return (
    <Page
      title={node.name}
      crumbs={<Link to={paths.nodes}>{t.nodes}</Link>}
      beside={<NodePill state={node.state} />}
      lead={<Lead node={node} />}
      actions={<NodeActions node={node} />}
    >
      {node.state === 'enrolling' ? (
        <JoinCard node={node} />
      ) : (
        <>
          <Offline node={node} />
          <CordonNote node={node} />
          <AgentUpdate node={node} />
          <Tabs node={node} />
          <Outlet />
        </>
      )}
    </Page>
  )
}

function Lead({ node: { location, agentVersion: version, lastSeenAt } }: { node: Node }) {
  if (lastSeenAt === null) return version === null ? location : t.withAgent({ location, version })
  const when = () => <Ago at={lastSeenAt} />
  return rich(
    version === null
      ? t.withSeen({ location, when })
      : t.withAgentSeen({ location, version, when }),
  )
}

function Offline({ node: { id, name, state, lastSeenAt } }: { node: Node }) {
  if (state !== 'offline') return null
  const plan = (text: string) => (
    <Link to={paths.failoverPlan} params={{ id }}>
      {text}
    </Link>
  )
  return (
    <Note tone="warn" title={t.notConnected({ node: name })}>
      {lastSeenAt === null
        ? t.offlineNever
        : rich(t.offlineSince({ when: () => <Ago at={lastSeenAt} />, plan }))}
    </Note>
  )
}

function Tabs({ node }: { node: Node }) {
  const params = { id: node.id }
  const { broken } = groupsOf(node)
  const mayManage = useMissing()('nodes.manage') === undefined
  return (
    <TabBar label={t.partsOf({ node: node.name })}>
      <Tab to={paths.node} params={params} activeOptions={{ exact: true }}>
        {t.summary}
      </Tab>
      <Tab to={paths.nodeServers} params={params}>
        {t.servers}
      </Tab>
      <Tab to={paths.nodeMetrics} params={params}>
        {t.metrics}
      </Tab>
      <Tab to={paths.nodeHardware} params={params}>
        {t.hardware}
      </Tab>
      <Tab to={paths.nodeChecks} params={params}>
        {broken.length === 0 ? t.checks : t.checksFailed({ count: broken.length })}
      </Tab>
      <Tab to={paths.nodeLog} params={params}>
        {t.agentLog}
      </Tab>
      {mayManage ? (
        <Tab to={paths.nodeEvacuation} params={params}>
          {t.evacuation}
        </Tab>
      ) : null}
    </TabBar>
  )
}
