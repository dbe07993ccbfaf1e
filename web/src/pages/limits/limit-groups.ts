import { isOffered } from '@lodge/shared/later.ts'
import { ALL_LIMIT_KEYS, LIMIT_KEYS, type LimitKey } from '@lodge/shared/limits/keys.ts'

type LimitType = (typeof LIMIT_KEYS)[LimitKey]['type']

interface LimitGroup {
  readonly title: string
  readonly type: LimitType
}

/** Limits grouped under headings. */
export const LIMIT_GROUPS: readonly LimitGroup[] = [
  { title: 'All servers together', type: 'total' },
  { title: 'Each server', type: 'each' },
  { title: 'What may be used', type: 'list' },
  { title: 'What may be done', type: 'may' },
]

export const limitsOf = ({ type }: LimitGroup): readonly LimitKey[] =>
  ALL_LIMIT_KEYS.filter((key) => LIMIT_KEYS[key].type === type && isOffered(key))
