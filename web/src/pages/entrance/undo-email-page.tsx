import { newPassword } from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { PasswordChoice } from './password-choice.tsx'
import { Entrance } from './sign-in/entrance.tsx'

const TITLE = 'Take your address back'

/** Reverts a change of address that the owner did not request, from the link in the notification mail. */
export default function UndoEmailPage() {
  const token = useFromLink('token')
  const router = useRouter()
  const client = useQueryClient()
  const form = useForm({
    initial: { password: '' },
    schema: z.object({ password: newPassword }),
    submit: ({ password }) => api('POST /api/auth/email/undo', { body: { token, password } }),
    done: async ({ email }) => {
      forgetHash()
      toastDone(`Your account uses ${email} again`)
      client.clear()
      await router.invalidate()
      await router.navigate({ to: paths.signIn })
    },
  })
  if (token === '')
    return (
      <Entrance title={TITLE}>
        <Note tone="warn" title="There is no link here">
          Open the link in the mail about the changed address. It works for 72 hours; after that,
          write to your host.
        </Note>
        <LinkButton to={paths.signIn} size="large">
          Sign in
        </LinkButton>
      </Entrance>
    )
  return (
    <Entrance
      title={TITLE}
      lead="Choose a new password. Your account gets this address back, every device is signed out, and API tokens end."
    >
      <Form
        form={form}
        submitText="Take the address back"
        submitFull
        disabledBecause={form.values.password === '' ? 'Enter a new password' : undefined}
      >
        <PasswordChoice label="New password" field={form.field('password')} />
      </Form>
    </Entrance>
  )
}
