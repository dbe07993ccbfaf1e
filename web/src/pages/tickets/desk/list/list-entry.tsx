import type { TicketSummary } from '@lodge/shared/support/tickets.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { paths } from '../../../../paths.ts'
import { BareTick } from '../../../../ui/choices/bare-tick.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import type { DeskSearch } from '../../desk-search.ts'
import { PriorityPill, TicketPill } from '../../parts/pills.tsx'
import { requesterText } from '../../parts/requester.ts'
import { Subject } from '../../parts/subject.tsx'
import styles from '../desk.module.css'
import { ticketQuery } from '../desk-query.ts'
import { NextGoal } from '../goals.tsx'
import { t } from '../words.ts'

interface ListEntryProps {
  ticket: TicketSummary
  search: DeskSearch
  isOpen: boolean
  isSelected?: boolean
  /** For people who may change tickets. */
  onSelect?: () => void
}

/** A ticket in the list; its conversation is prefetched on hover or focus. */
export function ListEntry({ ticket, search, isOpen, isSelected, onSelect }: ListEntryProps) {
  const { id, number, subject, status, priority, requester, updatedAt, unread, staff } = ticket
  const client = useQueryClient()
  const entry = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) entry.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const fetch = (): void => void client.prefetchQuery(ticketQuery(id))
  return (
    <li ref={entry} className={styles.row} data-selected={isSelected || undefined}>
      {onSelect ? (
        <div className={styles.tick}>
          <BareTick
            label={t.selectOne({ number })}
            checked={isSelected ?? false}
            onChange={onSelect}
          />
        </div>
      ) : null}
      <Link
        to={paths.deskTicket}
        params={{ id }}
        search={search}
        className={styles.entry}
        data-entry
        aria-current={isOpen ? 'page' : undefined}
        onPointerEnter={fetch}
        onFocus={fetch}
      >
        <Subject unread={unread}>{subject}</Subject>
        <span className={styles.who}>
          <span>
            {number} · {requesterText(requester)}
          </span>
          <Ago at={updatedAt} />
        </span>
        <span className={styles.foot}>
          <TicketPill status={status} />
          {priority === 'normal' ? null : <PriorityPill priority={priority} />}
          {staff ? <NextGoal sla={staff.sla} /> : null}
        </span>
      </Link>
    </li>
  )
}
