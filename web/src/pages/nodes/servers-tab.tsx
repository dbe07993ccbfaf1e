import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, useCallback, useMemo } from 'react'
import { paths } from '../../paths.ts'
import { useActor } from '../../session/session.ts'
import { Empty } from '../../ui/notices/states.tsx'
import { allServerColumns } from '../servers/server-columns.tsx'
import { fieldsOfOneNode } from '../servers/server-fields.ts'
import { ServerList } from '../servers/server-list.tsx'
import { useNode } from './use-node.ts'
import { t } from './words.ts'

/** The servers of a node. */
export default function ServersTab() {
  const node = useNode()
  const search = useSearch({ from: '/in/admin/nodes/$id/servers' })
  const navigate = useNavigate({ from: paths.nodeServers })
  const me = useActor()
  // Without the column of the node, which is the same everywhere.
  const columns = useMemo(
    () => allServerColumns({ me, withOwner: true }).filter(({ id }) => id !== 'node'),
    [me],
  )
  const fields = useMemo(fieldsOfOneNode, [])
  const go = useCallback<ComponentProps<typeof ServerList>['onSearch']>(
    (next, way) => void navigate({ search: next, ...way }),
    [navigate],
  )
  return (
    <ServerList
      label={t.serversOn({ node: node.name })}
      columns={columns}
      fields={fields}
      search={search}
      onSearch={go}
      only={{ nodeId: node.id }}
      emptyFor={(filter) =>
        filter === '' ? (
          <Empty title={t.noServers} art="servers">
            {node.cordoned ? t.noServersCordoned : t.noServersText}
          </Empty>
        ) : undefined
      }
    />
  )
}
