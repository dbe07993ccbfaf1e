import type { ManagedInvoice } from '@lodge/shared/billing/billing.ts'
import { INVOICE_FIELDS } from '@lodge/shared/lists/billing.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { paths } from '../../../paths.ts'
import { q, useAct } from '../../../query.ts'
import { wantedOf } from '../../../routes/list-search.ts'
import { useMissing } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Pager } from '../../../ui/data/pager.tsx'
import { RowActions } from '../../../ui/data/row-actions.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { useViewAddress } from '../../../ui/lists/use-view-address.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { filteredSearch } from '../billing-search.ts'
import { InvoiceDialog } from '../invoice-dialog.tsx'
import { InvoiceTable } from '../invoice-table.tsx'
import { t } from '../words.ts'
import { DeadEvents } from './dead-events.tsx'
import { invoiceFields, ListFilter, NoMatch } from './list-filter.tsx'
import { MarkPaidDialog } from './mark-paid-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'

type Doing = { readonly what: 'pay' | 'void' | 'show' | 'refund'; readonly invoice: ManagedInvoice }

/** All invoices, for the host, who records payments. */
export default function InvoicesPage() {
  const search = useSearch({ from: '/in/admin/invoices' })
  const { after } = search
  const { filter, onShow } = useViewAddress()
  const fields = useMemo(invoiceFields, [])
  const navigate = useNavigate()
  const missing = useMissing()('billing.manage')
  const missingRefund = useMissing()('billing.refund')
  const [doing, setDoing] = useState<Doing>()
  const [setting, setSetting] = useState(false)
  const voiding = useAct('POST /api/billing/invoices/{id}/void', ['GET /api/billing/invoices'])
  const invoices = useQuery({
    ...q('GET /api/billing/invoices', { query: { ...wantedOf(search, INVOICE_FIELDS), after } }),
    placeholderData: keepPreviousData,
  })
  const done = () => setDoing(undefined)
  return (
    <Page
      title={t.invoices}
      lead={t.invoicesLead}
      actions={<Button onClick={() => setSetting(true)}>{t.settings}</Button>}
    >
      <DeadEvents />
      <ListFilter label={t.searchInvoices} fields={fields} filter={filter} onShow={onShow} />
      <Card flush>
        <Loaded query={invoices} lines={8}>
          {({ items }) => (
            <InvoiceTable
              invoices={items}
              empty={filter ? <NoMatch filter={filter} onShow={onShow} /> : undefined}
              buyerOf={({ userId, buyer }) =>
                userId === null ? (
                  buyer.email
                ) : (
                  <Link to={paths.customer} params={{ id: userId }}>
                    {buyer.email}
                  </Link>
                )
              }
              onShow={(invoice) => setDoing({ what: 'show', invoice })}
              more={(invoice) =>
                invoice.status === 'open' ? (
                  <RowActions
                    label={t.actionsFor({ name: invoice.number })}
                    entries={[
                      {
                        label: t.recordPayment,
                        disabledBecause: missing,
                        onSelect: () => setDoing({ what: 'pay', invoice }),
                      },
                      {
                        label: t.voidInvoice,
                        disabledBecause: missing,
                        onSelect: () => setDoing({ what: 'void', invoice }),
                      },
                    ]}
                  />
                ) : invoice.refundable > 0 ? (
                  <RowActions
                    label={t.actionsFor({ name: invoice.number })}
                    entries={[
                      {
                        label: t.refund,
                        disabledBecause: missingRefund,
                        onSelect: () => setDoing({ what: 'refund', invoice }),
                      },
                    ]}
                  />
                ) : null
              }
            />
          )}
        </Loaded>
      </Card>
      <Pager
        shown={invoices.data?.items.length ?? 0}
        after={after}
        next={invoices.data?.nextCursor ?? null}
        onGo={(cursor) =>
          void navigate({
            to: paths.invoices,
            search: filteredSearch({ ...search, after: cursor }),
          })
        }
      />
      {doing?.what === 'pay' ? <MarkPaidDialog invoice={doing.invoice} onClose={done} /> : null}
      {doing?.what === 'refund' ? <RefundDialog invoice={doing.invoice} onClose={done} /> : null}
      {doing?.what === 'show' ? <InvoiceDialog invoice={doing.invoice} onClose={done} /> : null}
      {doing?.what === 'void' ? (
        <ConfirmDialog
          opened
          onClose={done}
          title={t.voidTitle({ number: doing.invoice.number })}
          verb={t.voidVerb}
          onConfirm={async () => {
            await voiding.mutateAsync({ params: { id: doing.invoice.id } })
            toastDone(t.invoiceVoided, doing.invoice.number)
          }}
        >
          {t.voidText}
        </ConfirmDialog>
      ) : null}
      {setting ? <SettingsDialog onClose={() => setSetting(false)} /> : null}
    </Page>
  )
}
