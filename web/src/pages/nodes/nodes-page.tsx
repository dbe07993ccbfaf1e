import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useMemo } from 'react'
import { paths } from '../../paths.ts'
import { qAll } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { useList } from '../../session/use-list.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { ShortList } from '../../ui/lists/short-list.tsx'
import { useViewAddress } from '../../ui/lists/use-view-address.ts'
import { Empty } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { AgentUpdates } from './agent-updates.tsx'
import { nodeColumns, nodeTools } from './node-list.tsx'
import { t } from './words.ts'

/** Every node with its capacity, what of it is allocated and what is used. */
export default function NodesPage() {
  const may = useMay()
  const nodes = useQuery(qAll('GET /api/nodes'))
  const list = useList('nodes', useMemo(nodeColumns, []))
  const tools = useMemo(nodeTools, [])
  const view = useViewAddress()
  const add = may('nodes.manage') ? (
    <LinkButton to={paths.newNode} kind="primary" icon={<Plus />}>
      {t.addNode}
    </LinkButton>
  ) : undefined
  return (
    <Page title={t.nodes} actions={add} lead={t.lead}>
      <AgentUpdates nodes={nodes.data?.items ?? []} />
      <ShortList
        label={t.nodes}
        searchLabel={t.search}
        file="nodes.csv"
        query={nodes}
        keyOf={({ id }) => id}
        list={list}
        tools={tools}
        {...view}
        noMatch={t.noMatch}
        empty={
          <Empty title={t.noNodes} art="nodes" action={add}>
            {t.noNodesText}
          </Empty>
        }
      />
    </Page>
  )
}
