import type { Invoice } from '@lodge/shared/billing/billing.ts'
import type { ReactNode } from 'react'
import { NameButton } from '../../ui/data/name-button.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { dayText, moneyText } from './money-words.ts'
import { InvoicePill } from './status-pill.tsx'
import { t } from './words.ts'

interface InvoiceTableProps<T extends Invoice> {
  invoices: readonly T[]
  onShow: (invoice: T) => void
  /** The actions of an invoice. */
  more: (invoice: T) => ReactNode
  /** Whose it is, for the host. */
  buyerOf?: (invoice: T) => ReactNode
  /** Instead of an empty list. */
  empty?: ReactNode
}

/** Invoices, the newest first. */
export const InvoiceTable = <T extends Invoice>(props: InvoiceTableProps<T>) => (
  <Table
    label={t.invoices}
    rows={props.invoices}
    keyOf={({ id }) => id}
    columns={[
      {
        id: 'number',
        header: t.number,
        role: 'title',
        cell: (invoice) => (
          <NameButton name={invoice.number} onOpen={() => props.onShow(invoice)} />
        ),
      },
      ...(props.buyerOf ? [{ id: 'customer', header: t.customer, cell: props.buyerOf }] : []),
      { id: 'plan', header: t.plan, cell: ({ planName }) => planName },
      { id: 'status', header: t.status, cell: (invoice) => <InvoicePill invoice={invoice} /> },
      { id: 'due', header: t.due, cell: ({ dueAt }) => dayText(dueAt) },
      {
        id: 'amount',
        header: t.amount,
        right: true,
        tight: true,
        cell: ({ total, amountDue, currency }) =>
          amountDue > 0 && amountDue < total ? (
            <Column gap={0}>
              {moneyText(total, currency)}
              <Text small muted>
                {t.stillDue({ amount: moneyText(amountDue, currency) })}
              </Text>
            </Column>
          ) : (
            moneyText(total, currency)
          ),
      },
      { id: 'more', header: t.actions, role: 'acts', cell: props.more },
    ]}
    empty={props.empty ?? <Empty title={t.noInvoices}>{t.noInvoicesText}</Empty>}
  />
)
