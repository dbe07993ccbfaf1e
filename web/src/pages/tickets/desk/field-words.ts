import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { timestampText } from '../../../ui/locale/timestamps.ts'
import { t as parts } from '../parts/words.ts'
import type { Change } from './change.ts'
import type { Field } from './merge-changes.ts'
import { useDesk } from './use-desk.ts'
import { t } from './words.ts'

/** The name of a property. */
export const fieldWord = (field: Field): string =>
  ({
    subject: t.subject,
    status: t.status,
    priority: t.priority,
    categoryId: t.category,
    groupId: t.group,
    assigneeId: t.assignee,
    tags: t.tags,
    snoozedUntil: t.snoozeTime,
  })[field]

/** The displayed values of properties: those of a ticket, and those of a change. */
export function useValueWords(ticket: TicketThread) {
  const { groups, categories, agents } = useDesk()
  const people = agents.map(({ id, name, email }) => ({ id, name: name ?? email }))
  const { subject, status, priority, categoryId, staff } = ticket
  const words = (
    values: {
      [F in Field]?: F extends 'tags' ? readonly string[] : string | null | undefined
    },
  ): ((field: Field) => string) => {
    const named = (list: readonly { id: string; name: string }[], id: string | null | undefined) =>
      list.find((one) => one.id === id)?.name
    return (field) => {
      const { [field]: value } = values
      if (Array.isArray(value)) return value.join(', ')
      if (field === 'status') return parts.status({ status: String(value) })
      if (field === 'priority') return parts.priority({ priority: String(value) })
      if (field === 'assigneeId') return named(people, values.assigneeId) ?? t.nobody
      if (field === 'groupId') return named(groups, values.groupId) ?? t.noGroup
      if (field === 'categoryId') return named(categories, values.categoryId) ?? t.noCategory
      if (field === 'snoozedUntil')
        return values.snoozedUntil ? timestampText(values.snoozedUntil) : t.notSnoozed
      return String(value ?? '')
    }
  }
  const shown = words({
    subject,
    status,
    priority,
    categoryId,
    groupId: staff?.groupId ?? null,
    assigneeId: staff?.assignee?.id ?? null,
    tags: staff?.tags ?? [],
    snoozedUntil: staff?.snoozedUntil ?? null,
  })
  return {
    shown,
    wanted: (field: Field, change: Change): string => words(change)(field),
  }
}
