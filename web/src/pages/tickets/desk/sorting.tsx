import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { MAX_TAGS } from '@lodge/shared/support/tickets.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { TagsField } from '../../../ui/choices/tags-field.tsx'
import styles from './desk.module.css'
import { idOf, NONE, named } from './properties.tsx'
import type { Changing } from './use-change.ts'
import { useDesk } from './use-desk.ts'
import { t } from './words.ts'

interface SortingProps {
  ticket: TicketThread
  changing: Changing
}

/** Properties that change less often than the status. */
export function Sorting({ ticket, changing: { change, busy } }: SortingProps) {
  const { categoryId, staff, may } = ticket
  const { categories, groups } = useDesk()
  if (!staff) return null
  const works = { width: 'fill', disabled: !may.work || busy } as const
  return (
    <section className={styles.sorting} aria-label={t.sorting}>
      {categories.length > 0 ? (
        <SelectField
          label={t.category}
          {...works}
          value={categoryId ?? NONE}
          choices={[
            ...(categoryId === null ? [{ value: NONE, label: t.noCategory }] : []),
            ...named(categories.filter(({ id, active }) => active || id === categoryId)),
          ]}
          onChange={(next) => void change({ categoryId: idOf(next) })}
        />
      ) : null}
      {groups.length > 0 ? (
        <SelectField
          label={t.group}
          width="fill"
          disabled={!may.assign || busy}
          value={staff.groupId ?? NONE}
          choices={[
            { value: NONE, label: t.noGroup },
            ...named(groups.filter(({ id, active }) => active || id === staff.groupId)),
          ]}
          onChange={(next) => void change({ groupId: idOf(next) })}
        />
      ) : null}
      <div data-property="tags">
        <TagsField
          label={t.tags}
          {...works}
          suggestions={[]}
          most={MAX_TAGS}
          value={staff.tags}
          onChange={(next) => void change({ tags: [...next] })}
        />
      </div>
    </section>
  )
}
