import type { ChangeBlock } from '@lodge/shared/billing/billing.ts'
import { wordOf } from '../../../ui/data/known.ts'
import { t } from '../words.ts'

const WORDS: Record<ChangeBlock, () => string> = {
  same_plan: () => t.samePlan,
  not_purchasable: () => t.notPurchasable,
  out_of_stock: () => t.outOfStock,
  per_customer_max: () => t.customerMax,
  disk_shrink: () => t.diskShrink,
  no_capacity: () => t.noRoom,
  template_not_in_plan: () => t.templateMissing,
  past_due: () => t.payFirst,
  next_period_paid: () => t.nextPaid,
  pending_change: () => t.isPending,
  currency: () => t.otherCurrency,
  kind: () => t.otherKind,
  workload: () => t.otherWorkload,
}

/** Why a change is not possible. */
export const blockWords = (block: ChangeBlock): string => wordOf(WORDS, block)
