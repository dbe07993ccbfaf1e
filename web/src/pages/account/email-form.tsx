import { emailAddress } from '@lodge/shared/accounts.ts'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '../../api.ts'
import { useMe } from '../../session/session.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'

const EMPTY = { email: '', password: '' }
const Input = z.object({
  email: emailAddress,
  password: z.string().min(1, 'Enter your password'),
})

/** Requests a change of address, which takes effect when the link mailed to it is opened. */
export function EmailForm() {
  const me = useMe()
  const [asked, setAsked] = useState<string>()
  const form = useForm({
    initial: EMPTY,
    schema: Input,
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
      ? 'Enter the new address and your password'
      : email.trim().toLowerCase() === me.email
        ? 'This is your address already'
        : undefined
  return (
    <Form form={form} submitText="Change address" disabledBecause={blocked}>
      {asked === undefined ? null : (
        <Note tone="ok" role="status" title={`Check the inbox of ${asked}`}>
          Until you open the link in it, you sign in with {me.email}.
        </Note>
      )}
      <TextField label="New e-mail" type="email" autoComplete="email" {...form.field('email')} />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        {...form.field('password')}
      />
    </Form>
  )
}
