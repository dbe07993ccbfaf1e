import { emailAddress } from '@lodge/shared/accounts.ts'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '../../api.ts'
import { useMe } from '../../session/session.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { t } from './words.ts'

const EMPTY = { email: '', password: '' }
const input = () => z.object({ email: emailAddress, password: z.string().min(1, t.enterPassword) })

/** Requests a change of address, which takes effect when the link mailed to it is opened. */
export function EmailForm() {
  const me = useMe()
  const [asked, setAsked] = useState<string>()
  const form = useForm({
    initial: EMPTY,
    schema: input(),
    submit: ({ email, password }) =>
      api('POST /api/auth/email', { body: { email: email.trim(), password } }),
    done: (_answer, { email }) => {
      setAsked(email.trim())
      form.setValues(EMPTY)
    },
  })
  const { email, password } = form.values
  const blocked =
    email.trim() === '' || password === ''
      ? t.enterAddress
      : email.trim().toLowerCase() === me.email
        ? t.isYourAddress
        : undefined
  return (
    <Form form={form} submitText={t.changeAddress} disabledBecause={blocked}>
      {asked === undefined ? null : (
        <Note tone="ok" role="status" title={t.checkInbox({ email: asked })}>
          {t.checkInboxText({ email: me.email })}
        </Note>
      )}
      <TextField label={t.newEmail} type="email" autoComplete="email" {...form.field('email')} />
      <PasswordField
        label={t.yourPassword}
        autoComplete="current-password"
        {...form.field('password')}
      />
    </Form>
  )
}
