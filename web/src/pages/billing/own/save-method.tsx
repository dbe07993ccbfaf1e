import type { WayToPay } from '@lodge/shared/billing/billing.ts'
import { useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { toastRefused } from '../../../ui/notices/toast.tsx'
import { t } from '../words.ts'

/** Leads to the page of a provider on which a payment method is saved without paying anything. */
export function SaveMethodButton({ way: { id, name } }: { way: WayToPay }) {
  const open = useAct('POST /api/billing/payment-methods/{provider}')
  return (
    <Button
      kind="primary"
      busy={open.isPending}
      onClick={() =>
        open.mutate(
          { params: { provider: id } },
          {
            onSuccess: ({ url }) => location.assign(url),
            onError: (error) => toastRefused(t.portalClosed, error),
          },
        )
      }
    >
      {t.saveAt({ provider: name })}
    </Button>
  )
}
