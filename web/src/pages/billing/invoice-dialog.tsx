import type { Invoice } from '@lodge/shared/billing/billing.ts'
import { urlOf } from '../../api.ts'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import { anythingBack, RefundList } from './refund-list.tsx'
import { t } from './words.ts'

/** An invoice with its lines and a download. */
export const InvoiceDialog = ({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) => (
  <Dialog title={t.lines({ number: invoice.number })} opened onClose={onClose}>
    <Column>
      <InvoiceLines {...invoice} />
      {invoice.charge?.state === 'failed' ? (
        <Note tone="warn" title={t.notCharged}>
          {invoice.charge.failure}
        </Note>
      ) : null}
      {anythingBack(invoice) ? <RefundList {...invoice} /> : null}
      <Row end>
        <a
          className={buttonClass()}
          href={urlOf('/api/billing/invoices/{id}/pdf', { params: { id: invoice.id } })}
          download={`${invoice.number}.pdf`}
        >
          {t.downloadPdf}
        </a>
      </Row>
    </Column>
  </Dialog>
)
