import { useQuery } from '@tanstack/react-query'
import { said } from '../../../panel/said.ts'
import { q, useAct } from '../../../query.ts'
import { useMissing } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Column, Row } from '../../../ui/page/layout.tsx'
import { dayText } from '../money-words.ts'
import { t } from '../words.ts'

/** Reports of payment providers that were given up; nothing as long as there are none. */
export function DeadEvents() {
  const missing = useMissing()('billing.manage')
  const { data } = useQuery(q('GET /api/billing/events', { query: { state: 'dead', limit: 5 } }))
  const replay = useAct('POST /api/billing/events/{eventId}/replay', ['GET /api/billing/events'])
  if (!data || data.items.length === 0) return null
  return (
    <Note tone="warn" title={t.deadEvents}>
      <Column gap={8}>
        {t.deadEventsText}
        {data.items.map(({ id, provider, type, receivedAt, failure }) => (
          <Row key={id}>
            {t.deadEvent({ provider, type, when: dayText(receivedAt), why: said(failure ?? '') })}
            <Button
              size="small"
              disabledBecause={missing}
              busy={replay.isPending}
              onClick={() =>
                replay.mutate(
                  { params: { eventId: id } },
                  {
                    onSuccess: () => toastDone(t.eventReplayed),
                    onError: (error) => toastRefused(t.eventNotReplayed, error),
                  },
                )
              }
            >
              {t.replayEvent}
            </Button>
          </Row>
        ))}
      </Column>
    </Note>
  )
}
