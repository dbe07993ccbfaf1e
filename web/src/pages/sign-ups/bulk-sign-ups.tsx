import { useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { api } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { BulkBar, type Outcome } from '../../ui/data/bulk-bar.tsx'
import { useBulk } from '../../ui/data/use-bulk.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import type { Waiting } from './waiting.ts'
import { t } from './words.ts'

/** Approves, or rejects with a reason for the mail. */
type Judgement =
  | { readonly of: 'approve' }
  | { readonly of: 'reject'; readonly reason: string | undefined }

const call = (id: string, judgement: Judgement): Promise<unknown> =>
  judgement.of === 'approve'
    ? api('POST /api/customers/{id}/approve', { params: { id } })
    : api('POST /api/customers/{id}/reject', {
        params: { id },
        query: { reason: judgement.reason },
      })

async function judge({ id, email, state }: Waiting, judgement: Judgement): Promise<Outcome> {
  const outcome = { id, name: email, refusal: undefined }
  if (judgement.of === 'approve' && state !== 'pending')
    return { ...outcome, refusal: t.notConfirmedYet }
  return call(id, judgement).then(
    () => outcome,
    (error: Error) => ({ ...outcome, refusal: error.message }),
  )
}

/** The bar below selected sign-ups: one decision for all, with a result for each. */
export default function BulkSignUps({
  accounts,
  onClear,
}: {
  accounts: readonly Waiting[]
  onClear: () => void
}) {
  const client = useQueryClient()
  const blocked = useMissing()('customers.approve')
  const [rejecting, setRejecting] = useState(false)
  const { last, busy, run, retry } = useBulk(accounts, judge, () =>
    Promise.all(
      (['GET /api/signup/pending', 'GET /api/customers', 'GET /api/customers/{id}'] as const).map(
        (key) => client.invalidateQueries({ queryKey: [key] }),
      ),
    ),
  )
  const count = accounts.length
  /** Without the last of them the bar disappears with its results. */
  const all = async (judgement: Judgement): Promise<void> => {
    const outcomes = await run(judgement)
    if (outcomes.some(({ refusal }) => refusal !== undefined)) return
    toastDone(judgement.of === 'approve' ? t.approvedMany({ count }) : t.rejected({ count }))
  }
  return (
    <>
      <BulkBar
        label={t.chosenLabel}
        selected={t.countSelected({ count })}
        outcomes={last?.outcomes}
        outcome={last && (last.action.of === 'approve' ? t.bulkApproved : t.bulkRejected)}
        busy={busy}
        onRetry={retry}
        onClear={onClear}
      >
        <Button
          size="small"
          icon={<Check />}
          busy={busy !== undefined}
          disabledBecause={
            blocked ?? (accounts.some(({ state }) => state === 'pending') ? undefined : t.noneWaits)
          }
          onClick={() => void all({ of: 'approve' })}
        >
          {t.approve}
        </Button>
        <Button
          size="small"
          kind="warning"
          icon={<Trash2 />}
          busy={busy !== undefined}
          disabledBecause={blocked}
          onClick={() => setRejecting(true)}
        >
          {t.rejectAndRemove}
        </Button>
      </BulkBar>
      {rejecting ? (
        <RejectDialog
          accounts={accounts}
          onClose={() => setRejecting(false)}
          onReject={(reason) => all({ of: 'reject', reason })}
        />
      ) : null}
    </>
  )
}
