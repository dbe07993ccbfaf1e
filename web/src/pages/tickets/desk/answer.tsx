import type { TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { AGENT_MOVES } from '@lodge/shared/support/transitions.ts'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useRefresh } from '../../../query.ts'
import { Segments } from '../../../ui/choices/segments.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { entryOf } from '../../../ui/data/known.ts'
import { Note } from '../../../ui/notices/note.tsx'
import { Composer } from '../parts/composer.tsx'
import type { Draft } from '../parts/use-draft.ts'
import { useUploads } from '../parts/use-uploads.ts'
import { t as parts } from '../parts/words.ts'
import { TICKET_KEYS } from './desk-query.ts'
import { MacroField } from './macros/macro-field.tsx'
import type { Changing } from './use-change.ts'
import { t } from './words.ts'

interface AnswerProps {
  ticket: TicketThread
  draft: Draft
  changing: Changing
  /** Returns the focus to the text. */
  onWrite: () => void
}

/** Writes a reply to the customer, or an internal note. */
export function Answer({ ticket, draft, changing, onWrite }: AnswerProps) {
  const { id, status, may } = ticket
  const refresh = useRefresh()
  const uploads = useUploads(id, draft)
  const [then, setThen] = useState<TicketStatus>()
  if (!may.work) return null
  // A closed ticket still accepts notes.
  const isNote = draft.isNote || !may.reply
  return (
    <>
      {may.reply ? null : <Note tone="info">{t.closedText}</Note>}
      <Composer
        label={isNote ? t.note : t.reply}
        small
        kind={isNote ? 'note' : 'reply'}
        draft={draft}
        uploads={uploads}
        slashLeadsTo={(form) => form.querySelector<HTMLElement>('[data-property="macros"] input')}
        sendText={isNote ? t.sendNote : t.sendReply}
        head={
          may.reply ? (
            <Segments
              label={t.kindOf}
              value={isNote ? 'note' : 'reply'}
              choices={[
                { value: 'reply', label: t.replyTab },
                { value: 'note', label: t.noteTab },
              ]}
              onChange={(kind) => draft.change({ isNote: kind === 'note' })}
            />
          ) : undefined
        }
        more={
          <MacroField
            ticket={ticket}
            draft={draft}
            changing={changing}
            onThen={setThen}
            onWritten={onWrite}
          />
        }
        beside={isNote ? undefined : <Afterwards status={status} then={then} onThen={setThen} />}
        onSend={async () => {
          await api('POST /api/support/tickets/{id}/messages', {
            params: { id },
            body: {
              kind: isNote ? 'note' : 'reply',
              bodyMarkdown: draft.text,
              attachments: uploads.files.map((file) => file.id),
              ...(!isNote && then && { status: then }),
            },
          })
          setThen(undefined)
          await refresh(TICKET_KEYS)
        }}
      />
    </>
  )
}

const USUAL = 'usual'

interface AfterwardsProps {
  status: TicketStatus
  then: TicketStatus | undefined
  onThen: (then: TicketStatus | undefined) => void
}

/** The status that a reply sets. */
const Afterwards = ({ status, then, onThen }: AfterwardsProps) => (
  <SelectField
    bare
    width="number"
    label={t.afterwards}
    value={then ?? USUAL}
    choices={[
      { value: USUAL, label: t.asUsual },
      ...choicesOf(status, then).map((value) => ({
        value,
        label: t.thenStatus({ status: parts.status({ status: value }) }),
      })),
    ]}
    onChange={(next) => onThen(choicesOf(status, then).find((one) => one === next))}
  />
)

/** Includes a status requested by a macro: the desk explains a refusal. */
function choicesOf(status: TicketStatus, then: TicketStatus | undefined): readonly TicketStatus[] {
  const moves: readonly TicketStatus[] = entryOf(AGENT_MOVES, status, () => []).filter(
    (one) => one !== 'closed',
  )
  return then === undefined || moves.includes(then) ? moves : [...moves, then]
}
