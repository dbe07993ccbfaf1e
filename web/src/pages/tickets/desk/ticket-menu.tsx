import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { useNavigate } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { useAct } from '../../../query.ts'
import { ActionMenu } from '../../../ui/buttons/menu.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { part } from '../../../ui/page/part.tsx'
import { TICKET_KEYS } from './desk-query.ts'
import type { Changing } from './use-change.ts'
import { t } from './words.ts'

const SnoozeDialog = part(() => import('./dialogs/snooze-dialog.tsx'))
const MergeDialog = part(() => import('./dialogs/merge-dialog.tsx'))
const SplitDialog = part(() => import('./dialogs/split-dialog.tsx'))
const PeopleDialog = part(() => import('../parts/people-dialog.tsx'))

export type TicketDialog = 'snooze' | 'merge' | 'split' | 'participants' | 'delete'

interface TicketMenuProps {
  ticket: TicketThread
  changing: Changing
  /** The dialog that is open. */
  open: TicketDialog | undefined
  onOpen: (dialog: TicketDialog | undefined) => void
}

/** Rare actions on a ticket. */
export function TicketMenu({ ticket, changing, open, onOpen }: TicketMenuProps) {
  const { id, number, status, staff, may } = ticket
  const navigate = useNavigate()
  const close = (): void => onOpen(undefined)
  const reopen = useAct('POST /api/support/tickets/{id}/reopen', TICKET_KEYS)
  const remove = useAct('DELETE /api/support/tickets/{id}', TICKET_KEYS)
  const blocked = may.work ? undefined : t.notYours
  const isClosed = status === 'closed'
  return (
    <>
      <ActionMenu
        label={t.more({ number })}
        entries={[
          ...(may.reopen
            ? [
                {
                  label: t.open,
                  disabledBecause: blocked,
                  onSelect: () =>
                    reopen.mutate(
                      { params: { id } },
                      { onError: (error) => toastRefused(t.changeFailed, error) },
                    ),
                },
              ]
            : []),
          !staff?.snoozedUntil
            ? {
                label: t.snooze,
                disabledBecause: blocked ?? (isClosed ? t.closedText : undefined),
                onSelect: () => onOpen('snooze'),
              }
            : {
                label: t.wake,
                disabledBecause: blocked,
                onSelect: () => void changing.change({ snoozedUntil: null }),
              },
          { label: t.merge, disabledBecause: blocked, onSelect: () => onOpen('merge') },
          {
            label: t.split,
            disabledBecause: blocked ?? (ticket.messages.length < 2 ? t.splitOne : undefined),
            onSelect: () => onOpen('split'),
          },
          {
            label: t.people,
            disabledBecause: blocked,
            onSelect: () => onOpen('participants'),
          },
          {
            label: staff?.spam ? t.noSpam : t.markSpam,
            disabledBecause: blocked,
            onSelect: () => void changing.change({ spam: !staff?.spam }),
          },
          {
            label: t.deleteEntry,
            danger: true,
            separated: true,
            disabledBecause: may.delete ? undefined : t.notYours,
            onSelect: () => onOpen('delete'),
          },
        ]}
      />
      {open === 'snooze' ? (
        <SnoozeDialog number={number} changing={changing} onClose={close} onLost={close} />
      ) : null}
      {open === 'merge' ? (
        <MergeDialog ticket={ticket} number={number} onClose={close} onLost={close} />
      ) : null}
      {open === 'split' ? <SplitDialog ticket={ticket} onClose={close} onLost={close} /> : null}
      {open === 'participants' ? (
        <PeopleDialog ticket={ticket} onClose={close} onLost={close} />
      ) : null}
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={close}
        title={t.delete}
        verb={t.delete}
        typed={number}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { id } })
          toastDone(t.deleted)
          void navigate({ to: paths.desk })
        }}
      >
        {t.deleteText}
      </ConfirmDialog>
    </>
  )
}
