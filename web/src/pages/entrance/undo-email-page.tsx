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
import { t } from './words.ts'

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
      toastDone(t.restored({ email }))
      client.clear()
      await router.invalidate()
      await router.navigate({ to: paths.signIn })
    },
  })
  if (token === '')
    return (
      <Entrance title={t.takeBack}>
        <Note tone="warn" title={t.noLink}>
          {t.openUndoLink}
        </Note>
        <LinkButton to={paths.signIn} size="large">
          {t.signIn}
        </LinkButton>
      </Entrance>
    )
  return (
    <Entrance title={t.takeBack} lead={t.takeBackLead}>
      <Form
        form={form}
        submitText={t.restore}
        submitFull
        disabledBecause={form.values.password === '' ? t.newPasswordMissing : undefined}
      >
        <PasswordChoice label={t.newPassword} field={form.field('password')} />
      </Form>
    </Entrance>
  )
}
