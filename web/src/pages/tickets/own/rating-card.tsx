import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import Star from 'lucide-react/icons/star'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useRefresh } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Segments } from '../../../ui/choices/segments.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { t } from './words.ts'

const SCORES = ['1', '2', '3', '4', '5'] as const

/** Asks for a rating once a ticket is solved. */
export function RatingCard({ ticket }: { ticket: TicketThread }) {
  const { id, rating, ratingComment } = ticket
  const refresh = useRefresh()
  const [score, setScore] = useState(rating === null ? '' : String(rating))
  const [comment, setComment] = useState(ratingComment ?? '')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const send = async (): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await api('POST /api/support/tickets/{id}/rating', {
        params: { id },
        body: { score: Number(score), ...(comment.trim() !== '' && { comment }) },
      })
      await refresh(['GET /api/support/tickets/{id}'])
      toastDone(t.rated)
    } catch (error) {
      setRefusal(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t.rate}>
      <Column gap={12}>
        <Segments
          label={t.rate}
          value={score}
          choices={SCORES.map((value) => ({
            value,
            label: value,
            icon: <Star size={14} aria-hidden />,
          }))}
          onChange={setScore}
        />
        <Text small muted>
          {t.rateHelp}
        </Text>
        <AreaField
          label={t.ratingComment}
          rows={2}
          width="fill"
          value={comment}
          onChange={setComment}
        />
        {refusal === undefined ? null : <ProblemNote error={refusal} />}
        <div>
          <Button
            busy={busy}
            disabledBecause={score === '' ? t.rateHelp : undefined}
            onClick={() => void send()}
          >
            {t.saveRating}
          </Button>
        </div>
      </Column>
    </Card>
  )
}
