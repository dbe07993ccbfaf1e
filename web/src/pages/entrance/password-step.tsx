import { newPassword } from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { PasswordChoice } from './password-choice.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

interface PasswordStepProps<Answer> {
  title: string
  lead: string
  label: string
  /** Shown while there is no password. */
  missing: string
  verb: string
  submit: (given: { token: string; password: string }) => Promise<Answer>
  /** Reports the success. @returns whether the person is signed in now, or has to sign in */
  done: (answer: Answer) => boolean
  /** What to do without a link, and the button for it. */
  withoutLink: string
  instead: ReactNode
  /** Content shown after a refusal. */
  refused?: ReactNode
}

/** The page of a link in a mail with which its reader chooses a password. */
export function PasswordStep<Answer>(props: PasswordStepProps<Answer>) {
  const { title, lead, label, missing, verb, submit, done, withoutLink, instead, refused } = props
  const token = useFromLink('token')
  const router = useRouter()
  const client = useQueryClient()
  const form = useForm({
    initial: { password: '' },
    schema: z.object({ password: newPassword }),
    submit: ({ password }) => submit({ token, password }),
    done: async (answer) => {
      forgetHash()
      const isOpen = done(answer)
      client.clear()
      await router.invalidate()
      await router.navigate({ to: isOpen ? paths.home : paths.signIn })
    },
  })
  if (token === '')
    return (
      <Entrance title={title}>
        <Note tone="warn" title={t.noLink}>
          {withoutLink}
        </Note>
        {instead}
      </Entrance>
    )
  return (
    <Entrance title={title} lead={lead}>
      <Form
        form={form}
        submitText={verb}
        submitFull
        disabledBecause={form.values.password === '' ? missing : undefined}
      >
        <PasswordChoice label={label} field={form.field('password')} />
      </Form>
      {form.refusal === undefined ? null : refused}
    </Entrance>
  )
}
