import { useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { t } from '../words.ts'

interface ChargeButtonProps {
  invoice: { readonly id: string; readonly number: string }
  /** The saved payment method, such as `Visa •••• 4242`. */
  method: string
  full?: boolean
}

/** Pays an open invoice with the saved payment method, without a page of the provider. */
export function ChargeButton({ invoice: { id, number }, method, full = false }: ChargeButtonProps) {
  const retry = useAct('POST /api/billing/invoices/{id}/retry', ['GET /api/billing'])
  return (
    <Button
      kind="primary"
      full={full}
      busy={retry.isPending}
      onClick={() =>
        retry.mutate(
          { params: { id } },
          {
            onSuccess: () => toastDone(t.chargeBegun, number),
            onError: (error) => toastRefused(t.notRetried, error),
          },
        )
      }
    >
      {t.chargeAll({ method })}
    </Button>
  )
}
