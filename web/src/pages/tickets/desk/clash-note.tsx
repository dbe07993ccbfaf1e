import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import { fieldWord, useValueWords } from './field-words.ts'
import type { Changing } from './use-change.ts'
import { t } from './words.ts'

interface ClashNoteProps {
  ticket: TicketThread
  changing: Changing
}

/** Somebody else was faster: shows what they changed, and what happened to this person's change. */
export function ClashNote({ ticket, changing: { clash, settle } }: ClashNoteProps) {
  const words = useValueWords(ticket)
  if (!clash) return null
  const { mine, theirs, isOpen } = clash
  if (!isOpen)
    return (
      <Note
        tone="info"
        role="status"
        title={t.merged}
        action={
          <Button size="small" onClick={() => settle('theirs')}>
            {t.understood}
          </Button>
        }
      >
        {t.mergedApplied({ what: theirs.map(fieldWord).join(', ') })}
      </Note>
    )
  return (
    <Note
      tone="warn"
      role="alert"
      title={t.merged}
      action={
        <Row>
          <Button size="small" kind="primary" onClick={() => settle('mine')}>
            {t.applyMine}
          </Button>
          <Button size="small" onClick={() => settle('theirs')}>
            {t.keepTheirs}
          </Button>
        </Row>
      }
    >
      {theirs
        .filter((field) => field in mine)
        .map((field) => (
          <div key={field}>
            {t.mergedKept({
              what: fieldWord(field),
              theirs: words.shown(field),
              mine: words.wanted(field, mine),
            })}
          </div>
        ))}
    </Note>
  )
}
