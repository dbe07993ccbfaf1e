import type { MacroAction } from '@lodge/shared/support/macros.ts'
import type { Reply } from '../../api.ts'
import { wordOf } from '../../ui/data/known.ts'
import { t } from './words.ts'

export type Macro = Reply<'GET /api/support/macros'>['items'][number]

const STATUSES = {
  open: () => t.open,
  pending: () => t.pending,
  on_hold: () => t.on_hold,
  solved: () => t.solved,
}
const PRIORITIES = {
  low: () => t.low,
  normal: () => t.normal,
  high: () => t.high,
  urgent: () => t.urgent,
}
/** The choice that changes nothing. */
export const AS_IT_IS = 'same'
const choicesOf = (words: Readonly<Record<string, () => string>>) => [
  { value: AS_IT_IS, label: t.asItIs },
  ...Object.entries(words).map(([value, label]) => ({ value, label: label() })),
]
export const statusChoices = () => choicesOf(STATUSES)
export const priorityChoices = () => choicesOf(PRIORITIES)

/** An action in a few words. */
export function doneBy(action: MacroAction): string {
  switch (action.type) {
    case 'reply':
      return t.doesReply
    case 'note':
      return t.doesNote
    case 'set_status':
      return t.doesStatus({ status: wordOf(STATUSES, action.status) })
    case 'set_priority':
      return t.doesPriority({ priority: wordOf(PRIORITIES, action.priority) })
    case 'assign':
      return action.to === 'me' ? t.doesAssign : t.doesFree
    case 'add_tags':
      return t.doesTag({ tags: action.tags.join(', ') })
    case 'remove_tags':
      return t.doesUntag({ tags: action.tags.join(', ') })
    default:
      return t.doesMore
  }
}
