import type { Billing, Invoice } from '@lodge/shared/billing/billing.ts'
import type { PaidAll } from '@lodge/shared/billing/pay-all.ts'
import { useState } from 'react'
import { said } from '../../../panel/said.ts'
import { useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { Prose } from '../../support/help/prose.tsx'
import { moneyText } from '../money-words.ts'
import { t } from '../words.ts'

/** Open invoices that nobody is charging already, the oldest first. */
export const payableOf = ({ invoices }: Billing): Invoice[] =>
  invoices
    .filter(({ status, charge }) => status === 'open' && charge?.state !== 'charging')
    .toReversed()

/** The sum of each currency, such as `30.00 EUR + 5.00 USD`. */
export function sumsText(invoices: readonly Invoice[]): string {
  const sums = new Map<string, number>()
  for (const { currency, amountDue } of invoices)
    sums.set(currency, (sums.get(currency) ?? 0) + amountDue)
  return [...sums].map(([currency, amount]) => moneyText(amount, currency)).join(' + ')
}

interface PayAllDialogProps {
  billing: Billing
  onClose: () => void
}

/** Pays all open invoices at once: from the balance, with what is saved, or in one sum a currency. */
export function PayAllDialog({ billing, onClose }: PayAllDialogProps) {
  const pay = useAct('POST /api/billing/pay-all', ['GET /api/billing'])
  const [save, setSave] = useState(false)
  const [outcome, setOutcome] = useState<PaidAll['sums']>()
  const open = payableOf(billing)
  const saved = billing.savedPayments.find(({ autoCharge }) => autoCharge)
  const ways = billing.waysToPay
  const inHand = billing.balances.filter(({ amount }) => amount > 0)
  const ask = (provider: string | undefined, canSave: boolean) =>
    pay.mutate(
      { body: provider === undefined ? {} : { provider, save: save && canSave } },
      {
        onSuccess: ({ invoices, sums }) => {
          const [only, ...others] = sums
          if (only?.redirectUrl && others.length === 0) return location.assign(only.redirectUrl)
          if (only) return setOutcome(sums)
          const charged = invoices.some(({ outcome }) => outcome === 'charging')
          toastDone(charged ? t.allCharged : t.allPaid)
          onClose()
        },
      },
    )
  return (
    <Dialog title={t.payAll} opened onClose={onClose}>
      {outcome ? (
        <Sums sums={outcome} hostSays={billing.instructions} />
      ) : (
        <Column>
          <Column gap={8}>
            {open.map(({ id, number, planName, amountDue, currency }) => (
              <Text key={id}>
                {t.payAllOne({ number, plan: planName, amount: moneyText(amountDue, currency) })}
              </Text>
            ))}
            <Text strong>{t.payAllSum({ amount: sumsText(open) })}</Text>
          </Column>
          {inHand.map(({ currency, amount }) => (
            <Text key={currency} muted>
              {t.payAllInHand({ amount: moneyText(amount, currency) })}
            </Text>
          ))}
          {saved ? (
            <Button kind="primary" full busy={pay.isPending} onClick={() => ask(undefined, false)}>
              {t.chargeAll({ method: saved.label })}
            </Button>
          ) : null}
          {ways.some(({ autoCharge }) => autoCharge) && !saved ? (
            <Tick
              label={t.saveMethod}
              description={t.saveMethodHelp}
              checked={save}
              onChange={setSave}
            />
          ) : null}
          {ways.map(({ id, name, autoCharge }) => (
            <Button
              key={id}
              kind={saved ? 'default' : 'primary'}
              full
              busy={pay.isPending}
              onClick={() => ask(id, autoCharge)}
            >
              {t.payWith({ way: name })}
            </Button>
          ))}
          {ways.length === 0 && !saved ? (
            <Button kind="primary" full busy={pay.isPending} onClick={() => ask(undefined, false)}>
              {t.howToPayAll}
            </Button>
          ) : null}
          {pay.isError ? <ProblemNote error={pay.error} /> : null}
        </Column>
      )}
    </Dialog>
  )
}

/** What is left to be paid, each currency by itself. */
const Sums = ({ sums, hostSays }: { sums: PaidAll['sums']; hostSays: string }) => (
  <Column gap={20}>
    {sums.map((sum) => (
      <Column key={sum.currency} gap={8}>
        {sum.redirectUrl === null ? (
          <Text strong>{moneyText(sum.amount, sum.currency)}</Text>
        ) : null}
        {sum.failure === null ? null : (
          <Note tone="warn" title={t.sumFailed}>
            {said(sum.failure)}
          </Note>
        )}
        {sum.redirectUrl === null ? null : (
          <Button
            kind="primary"
            full
            onClick={() => {
              if (sum.redirectUrl !== null) location.assign(sum.redirectUrl)
            }}
          >
            {t.paySum({ amount: moneyText(sum.amount, sum.currency) })}
          </Button>
        )}
        {sum.redirectUrl !== null || sum.failure !== null ? null : (
          <>
            {sum.instructionsHtml === null ? (
              <div style={{ whiteSpace: 'pre-line' }}>{hostSays || t.noInstructions}</div>
            ) : (
              <Prose html={sum.instructionsHtml} />
            )}
            <Text muted>{t.sumReference({ number: sum.reference })}</Text>
          </>
        )}
      </Column>
    ))}
  </Column>
)
