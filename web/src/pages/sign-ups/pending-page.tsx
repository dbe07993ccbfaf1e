import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Pager } from '../../ui/data/pager.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { part } from '../../ui/page/part.tsx'
import { CustomerPill } from '../customers/customer-pill.tsx'
import styles from '../servers/servers.module.css'
import { SignUpActions } from './sign-up-actions.tsx'
import { t } from './words.ts'

const BulkSignUps = part(() => import('./bulk-sign-ups.tsx'))

type Pending = Reply<'GET /api/signup/pending'>['items'][number]

const columns = (): readonly Column<Pending>[] => [
  {
    header: t.account,
    role: 'title',
    cell: (account) => (
      <div className={styles.name}>
        <Link to={paths.customer} params={{ id: account.id }}>
          {account.email}
        </Link>
        <small>{account.inviteNote ?? ''}</small>
      </div>
    ),
  },
  { header: t.state, cell: ({ state }) => <CustomerPill state={state} /> },
  { header: t.signedUp, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { header: t.actions, role: 'acts', cell: (account) => <SignUpActions account={account} /> },
]

/** Accounts that wait for confirmation or approval. */
export default function PendingPage() {
  const may = useMay()
  const { after } = useSearch({ from: '/in/admin/pending' })
  const navigate = useNavigate({ from: paths.pending })
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const pending = useQuery({
    ...q('GET /api/signup/pending', { query: { limit: 50, ...(after ? { after } : {}) } }),
    placeholderData: keepPreviousData,
  })
  const items = pending.data?.items ?? []
  const chosen = items.filter(({ id }) => ids.has(id))
  return (
    <Page
      title={t.pending}
      lead={t.pendingLead}
      actions={
        may('signup.manage') ? <LinkButton to={paths.settings}>{t.settings}</LinkButton> : undefined
      }
    >
      <Card flush>
        <Loaded query={pending}>
          {() => (
            <Table
              label={t.pending}
              rows={items}
              columns={columns()}
              keyOf={({ id }) => id}
              selection={{
                ids,
                onChange: setIds,
                nameOf: (id) => items.find((item) => item.id === id)?.email ?? id,
              }}
              empty={
                <Empty title={t.nobody} art="people">
                  {t.nobodyText}
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
      <Pager
        shown={items.length}
        after={after}
        next={pending.data?.nextCursor ?? null}
        onGo={(cursor) => void navigate({ search: cursor ? { after: cursor } : {} })}
      />
      {chosen.length > 0 ? (
        <BulkSignUps accounts={chosen} onClear={() => setIds(new Set())} />
      ) : null}
    </Page>
  )
}
