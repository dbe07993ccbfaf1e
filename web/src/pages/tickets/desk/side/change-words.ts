import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import { timestampText } from '../../../../ui/locale/timestamps.ts'
import { t as parts } from '../../parts/words.ts'
import { useDesk } from '../use-desk.ts'
import { t } from '../words.ts'

type Change = Readonly<Record<string, unknown>>
type Named = readonly { readonly id: string; readonly name: string | null }[]

const record = (value: unknown): Change =>
  typeof value === 'object' && value !== null ? (value as Change) : {}
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** A change of a ticket in words, from an entry of its history. */
export function useChangeWords(): (change: Change) => readonly string[] {
  const { agents, groups, categories } = useDesk()
  const people = agents.map(({ id, name, email }) => ({ id, name: name ?? email }))
  const nameIn = (list: Named, id: unknown, none: string): string | undefined =>
    id === null ? none : (list.find((one) => one.id === id)?.name ?? undefined)
  const wordFor = (field: string, value: unknown): string | undefined => {
    if (field === 'status') return parts.status({ status: String(value) })
    if (field === 'priority') return parts.priority({ priority: String(value) })
    if (field === 'subject') return String(value)
    if (field === 'assigneeId') return nameIn(people, value, t.nobody)
    if (field === 'groupId') return nameIn(groups, value, t.noGroup)
    if (field === 'categoryId') return nameIn(categories, value, t.noCategory)
    if (field === 'spam') return value === true ? t.yes : t.no
    if (field === 'snoozedUntil')
      return typeof value === 'string' ? timestampText(value) : t.notSnoozed
    return undefined
  }
  /** A field with a former value. */
  const moved = (field: string, change: Change): string => {
    const what = t.changedField({ field })
    const [from, to] = [wordFor(field, change.from), wordFor(field, change.to)]
    if (what === '' || to === undefined) return what
    const isStep = (field === 'status' || field === 'priority') && from !== undefined
    return isStep ? t.movedFrom({ what, from, to }) : t.movedTo({ what, to })
  }
  /** Values added to a list and removed from it. */
  const listed = (field: string, change: Change): readonly string[] => {
    const what = t.changedField({ field })
    const [added, removed] = [texts(change.added).join(', '), texts(change.removed).join(', ')]
    return [
      ...(added === '' ? [] : [t.addedTo({ what, added })]),
      ...(removed === '' ? [] : [t.removedFrom({ what, removed })]),
    ]
  }
  const words = ([field, value]: [string, unknown]): readonly string[] => {
    if (field === 'tags' || field === 'participants') return listed(field, record(value))
    if (field === 'from' || field === 'into') return [otherTicket(field, value)]
    if (field === 'score') return [t.ratingOf({ score: Number(value) })]
    if (field === 'heldMail') return [t.mailHeld({ from: String(value) })]
    if (typeof value === 'object') return [moved(field, record(value))]
    return [t.alsoHappened({ what: field })]
  }
  return (change) =>
    Object.entries(change)
      .flatMap(words)
      .filter((word) => word !== '')
}

const otherTicket = (field: 'from' | 'into', value: unknown): string => {
  const number = typeof value === 'number' ? ticketNumber(value) : String(value)
  return field === 'from' ? t.fromTicket({ number }) : t.intoTicket({ number })
}
