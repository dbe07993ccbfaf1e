import type { Invoice } from '@lodge/shared/billing/billing.ts'
import { urlOf } from '../../api.ts'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import { t } from './words.ts'

/** An invoice with its lines, which can be kept as a file. */
export const InvoiceDialog = ({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) => (
  <Dialog title={t.lines({ number: invoice.number })} opened onClose={onClose}>
    <Column>
      <InvoiceLines {...invoice} />
      <Row end>
        <PaperLink path="/api/billing/invoices/{id}/pdf" {...invoice} />
      </Row>
    </Column>
  </Dialog>
)

const PaperLink = ({ path, id, number }: { path: string; id: string; number: string }) => (
  <a className={buttonClass()} href={urlOf(path, { params: { id } })} download={`${number}.pdf`}>
    {t.downloadPdf}
  </a>
)
