import { writeFilter } from '@lodge/shared/lists/filter.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { type ComponentProps, useCallback, useMemo } from 'react'
import { paths } from '../../paths.ts'
import { useActor, useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Invitations } from './invitations/invitations.tsx'
import { NewOwnButton } from './new-own-button.tsx'
import { SeePlans } from './see-plans.tsx'
import { allServerColumns } from './server-columns.tsx'
import { customerFields, hostFields } from './server-fields.ts'
import { ServerList } from './server-list.tsx'
import { UsageStrip } from './usage-strip.tsx'
import { t } from './words.ts'

/** The filter for an administrator's own side. */
const OWN = writeFilter([{ field: 'whose', values: ['mine'] }])

/** Every server this person may see, live. */
export default function ServersPage() {
  const me = useActor()
  const may = useMay()
  const search = useSearch({ from: '/in/servers' })
  const navigate = useNavigate({ from: paths.servers })
  const customer = me.role === 'customer'
  const columns = useMemo(() => allServerColumns({ me, withOwner: !customer }), [me, customer])
  const fields = useMemo(() => (customer ? customerFields() : hostFields()), [customer])
  const go = useCallback<ComponentProps<typeof ServerList>['onSearch']>(
    (next, way) => void navigate({ search: next, ...way }),
    [navigate],
  )
  const create = may('servers.create') ? (
    <LinkButton to={paths.newServer} kind="primary" icon={<Plus />}>
      {t.newServer}
    </LinkButton>
  ) : customer ? (
    <NewOwnButton />
  ) : undefined

  return (
    <Page title={t.servers} actions={create}>
      <Invitations />
      {customer ? <UsageStrip /> : null}
      <ServerList
        label={t.servers}
        columns={columns}
        fields={fields}
        search={search}
        onSearch={go}
        emptyFor={(filter) =>
          filter === OWN ? (
            <Empty title={t.noneOwned} art="servers" action={create}>
              {t.noneOwnedText}
            </Empty>
          ) : filter === '' ? (
            <Empty
              title={t.none}
              art="servers"
              action={
                customer ? (
                  <Row>
                    {create}
                    <SeePlans />
                  </Row>
                ) : (
                  create
                )
              }
            >
              {customer ? t.noneTextCustomer : t.noneText}
            </Empty>
          ) : undefined
        }
      />
    </Page>
  )
}
