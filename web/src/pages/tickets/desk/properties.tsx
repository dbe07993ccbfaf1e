import { TICKET_PRIORITIES, type TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { AGENT_MOVES } from '@lodge/shared/support/transitions.ts'
import { useMe } from '../../../session/session.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { entryOf } from '../../../ui/data/known.ts'
import { t as parts } from '../parts/words.ts'
import styles from './desk.module.css'
import type { Changing } from './use-change.ts'
import { useDesk } from './use-desk.ts'
import { t } from './words.ts'

/** A value for "none", because an empty one would show as not chosen. */
export const NONE = 'none'
export const idOf = (value: string): string | null => (value === NONE ? null : value)
export const named = (list: readonly { id: string; name: string }[]) =>
  list.map(({ id, name }) => ({ value: id, label: name }))

interface PropertiesProps {
  ticket: TicketThread
  changing: Changing
}

/** The properties that change most often. */
export function Properties({ ticket, changing }: PropertiesProps) {
  const { status, priority, staff, may } = ticket
  const { change, busy } = changing
  const { id: me } = useMe()
  const { agents } = useDesk()
  if (!staff) return null
  const works = { bare: true, disabled: !may.work || busy } as const
  const statuses: readonly TicketStatus[] = [status, ...entryOf(AGENT_MOVES, status, () => [])]
  // The signed-in agent comes first: usually they take the ticket themselves.
  const people = agents.toSorted((one, other) => Number(other.id === me) - Number(one.id === me))
  const { assignee } = staff
  const others = assignee && !people.some(({ id }) => id === assignee.id) ? [assignee] : []
  return (
    <div className={styles.properties}>
      <div data-property="status">
        <SelectField
          label={t.status}
          {...works}
          value={status}
          choices={statuses.map((value) => ({ value, label: parts.status({ status: value }) }))}
          onChange={(next) => void change({ status: next })}
        />
      </div>
      <div data-property="priority">
        <SelectField
          label={t.priority}
          {...works}
          value={priority}
          choices={TICKET_PRIORITIES.map((value) => ({
            value,
            label: t.priorityIs({ priority: parts.priority({ priority: value }) }),
          }))}
          onChange={(next) => void change({ priority: next })}
        />
      </div>
      <SelectField
        bare
        label={t.assignee}
        disabled={!may.assign || busy}
        value={assignee?.id ?? NONE}
        choices={[
          { value: NONE, label: t.unassigned },
          ...[...people, ...others].map(({ id, name, email }) => ({
            value: id,
            label: id === me ? t.me({ name: name ?? email }) : (name ?? email),
          })),
        ]}
        onChange={(next) => void change({ assigneeId: idOf(next) })}
      />
    </div>
  )
}
