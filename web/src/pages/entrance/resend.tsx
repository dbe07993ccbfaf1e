import { emailAddress } from '@lodge/shared/accounts.ts'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useNow } from '../../ui/data/time.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

const COOL_DOWN_SECONDS = 60
const send = (email: string) => api('POST /api/auth/verify/resend', { body: { email } })

/** Why the confirmation cannot be requested again yet; undefined when it can. */
function useCoolDown(): [string | undefined, () => void] {
  const [sentAt, setSentAt] = useState<number>()
  const now = useNow(1_000)
  const left =
    sentAt === undefined
      ? 0
      : COOL_DOWN_SECONDS - Math.floor((Math.max(now, sentAt) - sentAt) / 1_000)
  return [left > 0 ? t.sentWait({ seconds: left }) : undefined, () => setSentAt(Date.now())]
}

/** Requests the confirmation mail again, at most once a minute. */
export function ResendButton({ email }: { email: string }) {
  const [wait, start] = useCoolDown()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const ask = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    await send(email).then(start, setError)
    setBusy(false)
  }
  return (
    <Column gap={8}>
      <Button full busy={busy} disabledBecause={wait} onClick={() => void ask()}>
        {t.resend}
      </Button>
      {wait === undefined ? null : (
        <Text small muted>
          {wait}
        </Text>
      )}
      {error === undefined ? null : <ProblemNote error={error} />}
    </Column>
  )
}

/** The same, after asking for the address. */
export function ResendForm({ kind }: { kind: 'primary' | 'default' }) {
  const [wait, start] = useCoolDown()
  const form = useForm({
    initial: { email: '' },
    schema: z.object({ email: emailAddress }),
    submit: ({ email }) => send(email),
    done: start,
  })
  return (
    <Form form={form} submitText={t.newLink} submitKind={kind} submitFull disabledBecause={wait}>
      <TextField
        label={t.email}
        type="email"
        autoComplete="email"
        description={wait ?? t.resendHelp}
        {...form.field('email')}
      />
    </Form>
  )
}
