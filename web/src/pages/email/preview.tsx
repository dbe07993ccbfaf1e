import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { MailBody } from './mail-body.tsx'
import { t } from './words.ts'

interface Draft {
  readonly subject: string
  readonly body: string
  readonly html: string | null
}

/** The value once it has not changed for `waitMs`. */
function useSettled<T>(value: T, waitMs: number): T {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  // Compared as text: a draft is a new object on every keystroke
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs)
    return () => clearTimeout(timer)
  }, [text, waitMs])
  return settled
}

/** The draft rendered with sample values; keeps the last valid one while the draft has a fault. */
export function Preview({
  template,
  draft,
  blocked,
}: {
  template: string
  draft: Draft
  blocked: string | undefined
}) {
  const settled = useSettled(draft, 400)
  const rendered = useQuery({
    queryKey: ['POST /api/email/templates/{template}/preview', template, settled],
    queryFn: () =>
      api('POST /api/email/templates/{template}/preview', { params: { template }, body: settled }),
    placeholderData: keepPreviousData,
    enabled: blocked === undefined,
    retry: false,
  })
  const [last, setLast] = useState(rendered.data)
  useEffect(() => {
    if (rendered.data) setLast(rendered.data)
  }, [rendered.data])
  const shown = rendered.data ?? last
  if (blocked !== undefined) {
    return (
      <Card title={t.preview}>
        <Empty title={t.noPreview}>{t.noPreviewBecause({ reason: blocked })}</Empty>
      </Card>
    )
  }
  return (
    <Card title={t.preview}>
      <Column gap={12}>
        {rendered.isError ? <ProblemNote error={rendered.error} /> : null}
        {shown ? (
          <>
            <Text strong>{shown.subject}</Text>
            <MailBody html={shown.html} text={shown.text} />
          </>
        ) : rendered.isError ? null : (
          <Loaded query={rendered} lines={8}>
            {() => null}
          </Loaded>
        )}
      </Column>
    </Card>
  )
}
