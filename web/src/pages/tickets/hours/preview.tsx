import { changeBetween } from '@lodge/shared/cron/wall-clock.ts'
import { BusinessHours } from '@lodge/shared/support/hours/business-hours.ts'
import { afterOpenTime } from '@lodge/shared/support/hours/open-time.ts'
import { TICKET_PRIORITIES, type TicketPriority } from '@lodge/shared/support/ticket-words.ts'
import type { Tier } from '@lodge/shared/support/tiers.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../query.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { useNow } from '../../../ui/data/time.tsx'
import { timestampText } from '../../../ui/locale/timestamps.ts'
import { Text } from '../../../ui/page/layout.tsx'
import { t as parts } from '../parts/words.ts'
import { t } from './words.ts'

const MINUTE_MS = 60_000
const HALF_YEAR_MS = 182 * 86_400_000

/** The next clock change of a zone within a year. */
const clockChangeAfter = (zone: string, nowMs: number): number | undefined =>
  changeBetween(zone, nowMs, nowMs + HALF_YEAR_MS) ??
  changeBetween(zone, nowMs + HALF_YEAR_MS, nowMs + 2 * HALF_YEAR_MS)

/** When the goals of a ticket opened now would be due, with the hours in the form. */
export function Preview({ hours: given }: { hours: unknown }) {
  const { data } = useQuery(q('GET /api/support/tiers'))
  const [chosen, setChosen] = useState<string>()
  const nowMs = useNow(60_000)
  const hours = BusinessHours.safeParse(given).data
  const tiers = data?.items ?? []
  const tier =
    tiers.find(({ id }) => id === chosen) ?? tiers.find((one) => one.isDefault) ?? tiers[0]
  if (!data) return null
  if (!tier) return <Text muted>{t.noTiers}</Text>
  if (!hours) return <Text muted>{t.unreadable}</Text>
  const { timeZone } = hours
  const textOf = (atMs: number) =>
    timestampText(atMs, { timeZone, dateStyle: 'medium', timeStyle: 'short' })
  const due = (minutes: number | null): string => {
    if (minutes === null) return t.noGoal
    const calendar = tier.calendar === 'always' ? 'always' : hours
    const atMs = afterOpenTime(calendar, nowMs, minutes * MINUTE_MS)
    return atMs === undefined ? t.neverOpen : textOf(atMs)
  }
  const change = clockChangeAfter(timeZone, nowMs)
  return (
    <>
      <SelectField
        label={t.tier}
        choices={tiers.map(({ id, name }) => ({ value: id, label: name }))}
        value={tier.id}
        onChange={setChosen}
      />
      <Goals tier={tier} due={due} />
      <Text muted>
        {change === undefined ? t.noClockChange : t.clockChange({ date: textOf(change) })}
      </Text>
    </>
  )
}

const Goals = ({ tier, due }: { tier: Tier; due: (minutes: number | null) => string }) => (
  <Table<TicketPriority>
    label={t.due}
    rows={[...TICKET_PRIORITIES]}
    keyOf={(priority) => priority}
    empty={null}
    columns={[
      {
        header: t.priority,
        role: 'title',
        cell: (priority) => parts.priority({ priority }),
      },
      {
        header: t.firstAnswer,
        cell: (priority) => due(tier.goals[priority].firstResponseMin),
      },
      { header: t.solution, cell: (priority) => due(tier.goals[priority].resolutionMin) },
    ]}
  />
)
