import type { Cycle } from '@lodge/shared/billing/cycles.ts'
import { wordOf } from '../../ui/data/known.ts'
import { t } from './words.ts'

const WORDS: Record<Cycle, () => string> = {
  weekly: () => t.weekly,
  monthly: () => t.monthly,
  quarterly: () => t.quarterly,
  semiannual: () => t.semiannual,
  yearly: () => t.yearly,
  biennial: () => t.biennial,
  triennial: () => t.triennial,
}

/** How often something is paid, in words. */
export const cycleName = (cycle: Cycle): string => wordOf(WORDS, cycle)
