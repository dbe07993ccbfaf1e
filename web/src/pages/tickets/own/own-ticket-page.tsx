import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { q, useAct, useRefresh } from '../../../query.ts'
import { useMe, useViewing } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { LoadFailed, PageSkeleton } from '../../../ui/notices/states.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Column, Split } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { Composer } from '../parts/composer.tsx'
import { TicketPill } from '../parts/pills.tsx'
import { Thread } from '../parts/thread.tsx'
import { useDraft } from '../parts/use-draft.ts'
import { useRead } from '../parts/use-read.ts'
import { useUploads } from '../parts/use-uploads.ts'
import { OwnFacts } from './own-facts.tsx'
import { RatingCard } from './rating-card.tsx'
import { t } from './words.ts'

const REFRESHED = ['GET /api/support/tickets/{id}', 'GET /api/support/tickets'] as const

/** One ticket of the signed-in person. */
export default function OwnTicketPage() {
  const { id } = useParams({ from: '/in/support/$id' })
  const ticket = useQuery(q('GET /api/support/tickets/{id}', { params: { id } }))
  if (ticket.data) return <Shown key={id} ticket={ticket.data} />
  if (!ticket.isError) return <PageSkeleton />
  return (
    <Page title={t.ticket} narrow crumbs={<Link to={paths.tickets}>{t.support}</Link>}>
      <LoadFailed error={ticket.error} onRetry={() => void ticket.refetch()} />
    </Page>
  )
}

function Shown({ ticket }: { ticket: TicketThread }) {
  const { id, number, subject, status, messages, may } = ticket
  const { id: me } = useMe()
  const isViewing = useViewing()
  useRead(ticket)
  return (
    <Page
      title={subject}
      crumbs={<Link to={paths.tickets}>{t.support}</Link>}
      beside={<TicketPill status={status} own />}
      lead={number}
      actions={isViewing ? undefined : <Ending ticket={ticket} />}
    >
      <Split>
        <Column>
          {status === 'pending' ? <Note tone="warn">{t.waitsForYou}</Note> : null}
          <Thread ticketId={id} messages={messages} me={me} own />
          {status === 'solved' ? (
            <Note tone="ok" title={t.solvedNote}>
              {may.reopen ? t.solvedText : t.followUpText}
            </Note>
          ) : null}
          {status === 'closed' ? (
            <Note tone="info" title={t.closedNote}>
              {t.followUpText}
            </Note>
          ) : null}
          {may.rate && !isViewing ? <RatingCard ticket={ticket} /> : null}
          {may.reply && !isViewing ? <Reply ticketId={id} /> : null}
        </Column>
        <Column>
          <OwnFacts ticket={ticket} />
        </Column>
      </Split>
    </Page>
  )
}

/** Solves the ticket, or reopens it. */
function Ending({ ticket: { id, version, may } }: { ticket: TicketThread }) {
  const close = useAct('PATCH /api/support/tickets/{id}', REFRESHED)
  const reopen = useAct('POST /api/support/tickets/{id}/reopen', REFRESHED)
  const params = { id }
  if (may.reopen)
    return (
      <Button
        busy={reopen.isPending}
        onClick={() =>
          reopen.mutate(
            { params },
            {
              onSuccess: () => toastDone(t.reopened),
              onError: (error) => toastRefused(t.reopenFailed, error),
            },
          )
        }
      >
        {t.reopen}
      </Button>
    )
  if (!may.solve) return null
  return (
    <Button
      busy={close.isPending}
      onClick={() =>
        close.mutate(
          { params, body: { status: 'solved', version } },
          {
            onSuccess: () => toastDone(t.closed),
            onError: (error) => toastRefused(t.closeFailed, error),
          },
        )
      }
    >
      {t.close}
    </Button>
  )
}

function Reply({ ticketId: id }: { ticketId: string }) {
  const draft = useDraft(id)
  const uploads = useUploads(id, draft)
  const refresh = useRefresh()
  const navigate = useNavigate()
  return (
    <Composer
      label={t.reply}
      draft={draft}
      uploads={uploads}
      sendText={t.sendReply}
      onSend={async () => {
        const written = await api('POST /api/support/tickets/{id}/messages', {
          params: { id },
          body: {
            kind: 'reply',
            bodyMarkdown: draft.text,
            attachments: uploads.files.map((file) => file.id),
          },
        })
        await refresh(REFRESHED)
        // The ticket was closed, so the reply opened a new one.
        if (written.ticketId !== id)
          void navigate({ to: paths.ticket, params: { id: written.ticketId } })
      }}
    />
  )
}
