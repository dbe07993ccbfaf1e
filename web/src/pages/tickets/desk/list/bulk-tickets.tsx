import { TICKET_PRIORITIES } from '@lodge/shared/support/ticket-words.ts'
import type { TicketSummary } from '@lodge/shared/support/tickets.ts'
import { useState } from 'react'
import { type Args, api } from '../../../../api.ts'
import { useRefresh } from '../../../../query.ts'
import { useMe, useMissing } from '../../../../session/session.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { ActionMenu, type MenuEntry } from '../../../../ui/buttons/menu.tsx'
import { BulkBar, type Outcome } from '../../../../ui/data/bulk-bar.tsx'
import { toastRefused } from '../../../../ui/notices/toast.tsx'
import { t as parts } from '../../parts/words.ts'
import { TICKET_KEYS } from '../desk-query.ts'
import { useDesk } from '../use-desk.ts'
import { t } from '../words.ts'
import { BulkTags } from './bulk-tags.tsx'

type Change = Omit<Args<'POST /api/support/tickets/bulk'>[0]['body'], 'ids'>

const STATUSES = ['open', 'pending', 'on_hold', 'solved'] as const

interface BulkTicketsProps {
  tickets: readonly TicketSummary[]
  onClear: () => void
}

/** The bar below selected tickets: one call changes all, with a result for each. */
export default function BulkTickets({ tickets, onClear }: BulkTicketsProps) {
  const me = useMe()
  const missing = useMissing()('support.reply')
  const refresh = useRefresh()
  const [tagging, setTagging] = useState<'addTags' | 'removeTags'>()
  const [busy, setBusy] = useState<{ done: number; of: number }>()
  const [last, setLast] = useState<{ change: Change; outcomes: readonly Outcome[] }>()
  const { agents, groups } = useDesk()
  const run = async (change: Change, on = tickets): Promise<void> => {
    setBusy({ done: 0, of: on.length })
    try {
      const { results } = await api('POST /api/support/tickets/bulk', {
        body: { ids: on.map(({ id }) => id), ...change },
      })
      const outcomes = results.map(({ id, problem }) => ({
        id,
        name: tickets.find((ticket) => ticket.id === id)?.subject ?? id,
        refusal: problem?.detail,
      }))
      setLast({ change, outcomes })
      await refresh(TICKET_KEYS)
    } catch (error) {
      toastRefused(t.changeFailed, error)
    } finally {
      setBusy(undefined)
    }
  }
  const menu = (label: string, entries: readonly MenuEntry[]) => (
    <ActionMenu label={label} entries={entries}>
      <Button size="small" busy={busy !== undefined} disabledBecause={missing}>
        {label}
      </Button>
    </ActionMenu>
  )
  return (
    <>
      <BulkBar
        label={t.selected}
        selected={t.countSelected({ count: tickets.length })}
        outcomes={last?.outcomes}
        outcome={last && t.bulkDone}
        busy={busy}
        onRetry={() => {
          const refused = new Set(
            last?.outcomes.flatMap(({ id, refusal }) => (refusal === undefined ? [] : [id])),
          )
          if (last)
            void run(
              last.change,
              tickets.filter(({ id }) => refused.has(id)),
            )
        }}
        onClear={onClear}
      >
        <Button
          size="small"
          busy={busy !== undefined}
          disabledBecause={missing}
          onClick={() => void run({ assigneeId: me.id })}
        >
          {t.assignToMe}
        </Button>
        {menu(
          t.setStatus,
          STATUSES.map((status) => ({
            label: parts.status({ status }),
            onSelect: () => void run({ status }),
          })),
        )}
        {menu(
          t.setPriority,
          TICKET_PRIORITIES.map((priority) => ({
            label: parts.priority({ priority }),
            onSelect: () => void run({ priority }),
          })),
        )}
        {menu(t.setAssignee, [
          { label: t.nobody, onSelect: () => void run({ assigneeId: null }) },
          ...agents.map(({ id, name, email }) => ({
            label: name ?? email,
            onSelect: () => void run({ assigneeId: id }),
          })),
        ])}
        {menu(t.setGroup, [
          { label: t.noGroup, onSelect: () => void run({ groupId: null }) },
          ...groups.map(({ id, name }) => ({
            label: name,
            onSelect: () => void run({ groupId: id }),
          })),
        ])}
        {menu(t.tags, [
          { label: t.addTag, onSelect: () => setTagging('addTags') },
          { label: t.removeTag, onSelect: () => setTagging('removeTags') },
          { label: t.markSpam, separated: true, onSelect: () => void run({ spam: true }) },
        ])}
      </BulkBar>
      <BulkTags
        kind={tagging}
        count={tickets.length}
        onClose={() => setTagging(undefined)}
        onTags={(kind, tags) => run({ [kind]: tags })}
      />
    </>
  )
}
