import type { Customer } from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import LogOut from 'lucide-react/icons/log-out'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { api } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { BulkBar, type Outcome, type OutcomeCounts } from '../../ui/data/bulk-bar.tsx'
import { useBulk } from '../../ui/data/use-bulk.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { whyClosed, whyNotDeleted } from './why-not.ts'
import { t } from './words.ts'

type BulkAction = 'approve' | 'signOut' | 'delete'

const outcome = (action: BulkAction): ((counts: OutcomeCounts) => string) =>
  ({ approve: t.bulkApproved, signOut: t.bulkSignedOut, delete: t.bulkDeleted })[action]

const whyNot: Readonly<Record<BulkAction, (customer: Customer) => string | undefined>> = {
  approve: ({ state }) => (state === 'pending' ? undefined : t.notWaiting),
  signOut: whyClosed,
  delete: whyNotDeleted,
}

const CALLS = {
  approve: 'POST /api/customers/{id}/approve',
  signOut: 'POST /api/customers/{id}/sign-out',
  delete: 'DELETE /api/customers/{id}',
} as const

const ask = (customer: Customer, action: BulkAction): Promise<Outcome> => {
  const { id, email: name } = customer
  const blocked = whyNot[action](customer)
  if (blocked) return Promise.resolve({ id, name, refusal: blocked })
  return api(CALLS[action], { params: { id } }).then(
    () => ({ id, name, refusal: undefined }),
    (error: Error) => ({ id, name, refusal: error.message }),
  )
}

/** The bar below selected customers: one action for all, with a result for each. */
export default function BulkCustomers({
  customers,
  onClear,
}: {
  customers: readonly Customer[]
  onClear: () => void
}) {
  const client = useQueryClient()
  const missing = useMissing()
  const [asking, setAsking] = useState<Exclude<BulkAction, 'approve'>>()
  const { last, busy, run, retry } = useBulk(customers, ask, () =>
    Promise.all(
      (['GET /api/customers', 'GET /api/customers/{id}', 'GET /api/signup/pending'] as const).map(
        (key) => client.invalidateQueries({ queryKey: [key] }),
      ),
    ),
  )
  const count = customers.length
  const close = (): void => setAsking(undefined)
  const working = busy !== undefined
  return (
    <>
      <BulkBar
        label={t.selected}
        selected={t.countSelected({ count })}
        outcomes={last?.outcomes}
        outcome={last && outcome(last.action)}
        busy={busy}
        onRetry={retry}
        onClear={onClear}
      >
        {customers.some(({ state }) => state === 'pending') ? (
          <Button
            size="small"
            icon={<Check />}
            busy={working}
            disabledBecause={missing('customers.approve')}
            onClick={() => void run('approve')}
          >
            {t.approve}
          </Button>
        ) : null}
        <Button
          size="small"
          icon={<LogOut />}
          busy={working}
          disabledBecause={missing('customers.manage')}
          onClick={() => setAsking('signOut')}
        >
          {t.signOutEverywhere}
        </Button>
        <Button
          size="small"
          kind="warning"
          icon={<Trash2 />}
          busy={working}
          disabledBecause={missing('customers.manage')}
          onClick={() => setAsking('delete')}
        >
          {t.delete}
        </Button>
      </BulkBar>
      <ConfirmDialog
        opened={asking === 'signOut'}
        onClose={close}
        title={t.signOutCount({ count })}
        verb={t.signOutCount({ count })}
        kind="warning"
        onConfirm={() => run('signOut')}
      >
        {t.signOutManyText}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'delete'}
        onClose={close}
        title={t.deleteCount({ count })}
        verb={t.deleteCount({ count })}
        typed={String(count)}
        onConfirm={async () => {
          const outcomes = await run('delete')
          // Without the last of them the bar disappears with its results, so it is kept if anything
          // failed.
          if (outcomes.every(({ refusal }) => refusal === undefined))
            toastDone(t.deletedCount({ count }))
        }}
      >
        {t.deleteManyText}
      </ConfirmDialog>
    </>
  )
}
