import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useCallback, useMemo } from 'react'
import { paths } from '../../paths.ts'
import { qAll } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { useList } from '../../session/use-list.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import type { ViewChange } from '../../ui/data/list-toolbar.tsx'
import { ShortList } from '../../ui/lists/short-list.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { nodeColumns, nodeTools } from './node-list.tsx'
import { nodesSearch } from './nodes-search.ts'
import { t } from './words.ts'

/** Every node with its capacity, what of it is allocated and what is used. */
export default function NodesPage() {
  const may = useMay()
  const nodes = useQuery(qAll('GET /api/nodes'))
  const { q: filter = '', sort } = useSearch({ from: '/in/admin/nodes' })
  const navigate = useNavigate({ from: paths.nodes })
  const list = useList('nodes', useMemo(nodeColumns, []))
  const tools = useMemo(nodeTools, [])
  const show = useCallback(
    (change: ViewChange) =>
      void navigate({ search: (old) => nodesSearch({ ...old, ...change }), replace: true }),
    [navigate],
  )
  const add = may('nodes.manage') ? (
    <LinkButton to={paths.newNode} kind="primary" icon={<Plus />}>
      {t.addNode}
    </LinkButton>
  ) : undefined
  return (
    <Page title={t.nodes} actions={add} lead={t.lead}>
      <ShortList
        label={t.nodes}
        searchLabel={t.search}
        file="nodes.csv"
        query={nodes}
        keyOf={({ id }) => id}
        list={list}
        tools={tools}
        filter={filter}
        sort={sort}
        onShow={show}
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
