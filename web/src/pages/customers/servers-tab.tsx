import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, useCallback, useMemo } from 'react'
import { paths } from '../../paths.ts'
import { useActor, useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { allServerColumns } from '../servers/server-columns.tsx'
import { fieldsOfOneOwner } from '../servers/server-fields.ts'
import { ServerList } from '../servers/server-list.tsx'
import { useCustomer } from './use-customer.ts'
import { t } from './words.ts'

/** The servers of a customer. */
export default function ServersTab() {
  const { id, email, state } = useCustomer()
  const may = useMay()
  const search = useSearch({ from: '/in/admin/customers/$id/servers' })
  const navigate = useNavigate({ from: paths.customerServers })
  const me = useActor()
  const columns = useMemo(() => allServerColumns({ me }), [me])
  const fields = useMemo(fieldsOfOneOwner, [])
  const go = useCallback<ComponentProps<typeof ServerList>['onSearch']>(
    (next, way) => void navigate({ search: next, ...way }),
    [navigate],
  )
  return (
    <ServerList
      label={t.serversOf}
      columns={columns}
      fields={fields}
      search={search}
      onSearch={go}
      only={{ ownerId: id }}
      emptyFor={(filter) =>
        filter === '' ? (
          <Empty
            title={t.noServers}
            action={
              may('servers.create') && state === 'active' ? (
                <LinkButton to={paths.newServer} search={{ owner: id }}>
                  {t.createFirst}
                </LinkButton>
              ) : undefined
            }
          >
            {t.noServersText({ email })}
          </Empty>
        ) : undefined
      }
    />
  )
}
