import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Segments } from '../../ui/choices/segments.tsx'
import { Pager } from '../../ui/data/pager.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Toolbar } from '../../ui/data/toolbar.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty, NoResults } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { MessageDialog } from './message-dialog.tsx'
import { mailState, mailStates, outboxColumns } from './outbox-columns.tsx'
import { t } from './words.ts'

/** Every mail with its delivery state, newest first. */
export default function OutboxTab() {
  const { state, after } = useSearch({ from: '/in/admin/email/' })
  const navigate = useNavigate({ from: paths.email })
  const [shown, setShown] = useState<string>()
  const outbox = useQuery({
    ...q('GET /api/email/outbox', {
      query: { limit: 50, ...(state ? { state } : {}), ...(after ? { after } : {}) },
    }),
    placeholderData: keepPreviousData,
    // The event stream does not report mail deliveries.
    refetchInterval: 10_000,
  })
  const items = outbox.data?.items ?? []
  const message = items.find(({ id }) => id === shown)
  return (
    <>
      <Toolbar>
        <Segments
          label={t.stateFilter}
          value={state ?? 'all'}
          choices={[{ value: 'all', label: t.all }, ...mailStates()]}
          onChange={(next) => void navigate({ search: next === 'all' ? {} : { state: next } })}
        />
      </Toolbar>
      <Card flush>
        <Loaded query={outbox}>
          {() => (
            <Table
              label={t.outbox}
              rows={items}
              columns={outboxColumns(setShown)}
              keyOf={({ id }) => id}
              empty={
                state ? (
                  <NoResults
                    title={t.noMatch({ state: mailState(state) })}
                    onClear={() => void navigate({ search: {} })}
                  />
                ) : (
                  <Empty title={t.none} art="mail">
                    {t.noneText}
                  </Empty>
                )
              }
            />
          )}
        </Loaded>
      </Card>
      <Pager
        shown={items.length}
        after={after}
        next={outbox.data?.nextCursor ?? null}
        onGo={(cursor) =>
          void navigate({
            search: { ...(state ? { state } : {}), ...(cursor ? { after: cursor } : {}) },
          })
        }
      />
      {message ? <MessageDialog message={message} onClose={() => setShown(undefined)} /> : null}
    </>
  )
}
