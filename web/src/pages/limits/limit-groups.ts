import { isOffered } from '@lodge/shared/later.ts'
import { ALL_LIMIT_KEYS, LIMIT_KEYS, type LimitKey } from '@lodge/shared/limits/keys.ts'
import { t } from './words.ts'

type LimitType = (typeof LIMIT_KEYS)[LimitKey]['type']

interface LimitGroup {
  readonly title: () => string
  readonly type: LimitType
}

/** Limits grouped under headings. */
export const LIMIT_GROUPS: readonly LimitGroup[] = [
  { title: () => t.totals, type: 'total' },
  { title: () => t.each, type: 'each' },
  { title: () => t.lists, type: 'list' },
  { title: () => t.actions, type: 'may' },
]

export const limitsOf = ({ type }: LimitGroup): readonly LimitKey[] =>
  ALL_LIMIT_KEYS.filter((key) => LIMIT_KEYS[key].type === type && isOffered(key))
