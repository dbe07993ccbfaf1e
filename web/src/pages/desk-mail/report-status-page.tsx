import { LONGEST_ADDITION, MAX_ADDITIONS, type ReportStatus } from '@lodge/shared/support/abuse.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { ApiError, api } from '../../api.ts'
import { useFromLink } from '../../session/link-token.ts'
import { At } from '../../ui/data/time.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Facts } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { Entrance } from '../entrance/sign-in/entrance.tsx'
import { t } from './words.ts'

/** The state of a report of abuse, for whoever has its link, with a form to add to it. */
export default function ReportStatusPage() {
  const token = useFromLink('token')
  const status = useQuery({
    queryKey: ['POST /api/support/abuse/status', token],
    queryFn: () => api('POST /api/support/abuse/status', { body: { token } }),
    enabled: token !== '',
    retry: (count, error) => !(error instanceof ApiError) && count < 3,
  })
  const isRefused =
    status.error instanceof ApiError && status.error.problem.code === 'invalid_token'
  if (token === '' || isRefused)
    return (
      <Entrance title={t.yourReport}>
        <Note tone="warn" title={isRefused ? t.linkRefused : t.noReportLinkTitle}>
          {isRefused ? t.linkRefusedText : t.noReportLink}
        </Note>
      </Entrance>
    )
  return (
    <Entrance title={t.yourReport} lead={t.yourReportLead}>
      <Loaded query={status} lines={6}>
        {(given) => (
          <Column gap={24}>
            <About given={given} />
            <Answers given={given} />
            <Addition token={token} given={given} onDone={() => void status.refetch()} />
          </Column>
        )}
      </Loaded>
    </Entrance>
  )
}

const STATES: Readonly<Record<ReportStatus['status'], () => string>> = {
  received: () => t.received,
  in_progress: () => t.in_progress,
  closed: () => t.closed,
}

function About({ given }: { given: ReportStatus }) {
  const { reference, status, since, receivedAt, expiresAt, additions } = given
  return (
    <Facts
      rows={[
        [t.referenceName, <code key="reference">{reference}</code>],
        [t.state, <strong key="state">{STATES[status]()}</strong>],
        [t.lastMove, <At key="since" at={since} />],
        [t.sentAt, <At key="sent" at={receivedAt} />],
        ...(additions > 0 ? [[t.additionCount, additions] as const] : []),
        [t.linkEnds, <At key="ends" at={expiresAt} />],
      ]}
    />
  )
}

function Answers({ given: { answers } }: { given: ReportStatus }) {
  if (answers.length === 0) return null
  return (
    <Column gap={12}>
      <Text strong>{t.answers}</Text>
      {answers.map(({ at, text }) => (
        <Note key={at} tone="info" title={<At at={at} />}>
          {text}
        </Note>
      ))}
    </Column>
  )
}

interface AdditionProps {
  token: string
  given: ReportStatus
  onDone: () => void
}

function Addition({ token, given, onDone }: AdditionProps) {
  const [round, setRound] = useState(0)
  if (given.additions >= MAX_ADDITIONS) return <Text muted>{t.additionsFull}</Text>
  const sent = (): void => {
    setRound((old) => old + 1)
    onDone()
  }
  return (
    <Column>
      {round > 0 ? <Note tone="ok" role="status" title={t.additionSent} /> : null}
      <AdditionForm key={round} token={token} onDone={sent} />
    </Column>
  )
}

function AdditionForm({ token, onDone }: Pick<AdditionProps, 'token' | 'onDone'>) {
  const form = useForm({
    initial: { text: '' },
    schema: z.object({ text: z.string().trim().max(LONGEST_ADDITION) }),
    submit: ({ text }) => api('POST /api/support/abuse/additions', { body: { token, text } }),
    done: onDone,
  })
  return (
    <Form
      form={form}
      submitText={t.sendAddition}
      submitFull
      disabledBecause={form.values.text.trim() === '' ? t.additionMissing : undefined}
    >
      <AreaField
        label={t.addition}
        description={t.additionHelp}
        width="fill"
        rows={4}
        {...form.field('text')}
      />
    </Form>
  )
}
