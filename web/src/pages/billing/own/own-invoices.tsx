import type { Billing, Invoice } from '@lodge/shared/billing/billing.ts'
import { useState } from 'react'
import { Button } from '../../../ui/buttons/button.tsx'
import { InvoiceDialog } from '../invoice-dialog.tsx'
import { InvoiceTable } from '../invoice-table.tsx'
import { t } from '../words.ts'
import { PayDialog } from './pay-dialog.tsx'

const isPayable = ({ status, charge }: Invoice): boolean =>
  status === 'open' && charge?.state !== 'charging'

/** The caller's own invoices; open ones say how to pay them. */
export function OwnInvoices({ billing }: { billing: Billing }) {
  const [asked, setAsked] = useState<string>()
  // The dialog closes by itself once the payment has arrived, or is being charged.
  const paying = billing.invoices.find((one) => one.id === asked && isPayable(one))
  const [shown, setShown] = useState<Invoice>()
  return (
    <>
      <InvoiceTable
        invoices={billing.invoices}
        onShow={setShown}
        more={(invoice) =>
          isPayable(invoice) ? (
            <Button size="small" kind="primary" onClick={() => setAsked(invoice.id)}>
              {t.pay}
            </Button>
          ) : null
        }
      />
      {paying ? (
        <PayDialog invoice={paying} billing={billing} onClose={() => setAsked(undefined)} />
      ) : null}
      {shown ? <InvoiceDialog invoice={shown} onClose={() => setShown(undefined)} /> : null}
    </>
  )
}
