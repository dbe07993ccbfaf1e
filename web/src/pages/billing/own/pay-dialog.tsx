import type { Billing, Invoice } from '@lodge/shared/billing/billing.ts'
import { useState } from 'react'
import { useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { Prose } from '../../support/help/prose.tsx'
import { moneyText } from '../money-words.ts'
import { t } from '../words.ts'
import { ChargeButton } from './charge-button.tsx'

interface PayDialogProps {
  invoice: Invoice
  billing: Billing
  onClose: () => void
}

/** How to pay an invoice: with a provider, or as the host describes. */
export function PayDialog({ invoice, billing, onClose }: PayDialogProps) {
  const { number, amountDue, currency, id } = invoice
  const pay = useAct('POST /api/billing/invoices/{id}/pay')
  const [save, setSave] = useState(false)
  const [instructions, setInstructions] = useState<{ html: string; by: string }>()
  const saved = billing.savedPayments.find(({ autoCharge }) => autoCharge)
  const ways = billing.waysToPay.filter(({ id: way }) => way !== instructions?.by)
  return (
    <Dialog title={t.payInvoice({ number })} opened onClose={onClose}>
      <Column>
        <Text strong>{moneyText(amountDue, currency)}</Text>
        {instructions ? (
          <Prose html={instructions.html} />
        ) : billing.instructions || ways.length === 0 ? (
          <div style={{ whiteSpace: 'pre-line' }}>{billing.instructions || t.noInstructions}</div>
        ) : null}
        {instructions || billing.instructions || ways.length === 0 ? (
          <Text muted>{t.reference({ number })}</Text>
        ) : null}
        {saved ? <ChargeButton invoice={invoice} method={saved.label} full /> : null}
        {ways.some(({ autoCharge }) => autoCharge) && !saved ? (
          <Tick
            label={t.saveMethod}
            description={t.saveMethodHelp}
            checked={save}
            onChange={setSave}
          />
        ) : null}
        {ways.map(({ id: provider, name, autoCharge }) => (
          <Button
            key={provider}
            kind={saved ? 'default' : 'primary'}
            full
            busy={pay.isPending}
            onClick={() =>
              pay.mutate(
                { params: { id }, body: { provider, save: save && autoCharge } },
                {
                  onSuccess: ({ redirectUrl, instructionsHtml }) => {
                    if (redirectUrl !== null) location.assign(redirectUrl)
                    else if (instructionsHtml !== null)
                      setInstructions({ html: instructionsHtml, by: provider })
                  },
                },
              )
            }
          >
            {t.payWith({ way: name })}
          </Button>
        ))}
        {pay.isError ? <ProblemNote error={pay.error} /> : null}
      </Column>
    </Dialog>
  )
}
