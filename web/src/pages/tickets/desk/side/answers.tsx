import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { Facts } from '../../../../ui/page/card.tsx'
import { useDesk } from '../use-desk.ts'
import { t } from '../words.ts'

/** The customer's answers to the fields of the category. */
export function Answers({ ticket: { answers, categoryId } }: { ticket: TicketThread }) {
  const { categories } = useDesk()
  const fields = categories.find(({ id }) => id === categoryId)?.fields ?? []
  const given = Object.entries(answers)
  if (given.length === 0) return null
  return (
    <section>
      <h2>{t.answers}</h2>
      <Facts
        rows={given.map(([key, value]) => [
          fields.find((field) => field.key === key)?.label ?? key,
          typeof value === 'boolean' ? (value ? t.yes : t.no) : String(value),
        ])}
      />
    </section>
  )
}
