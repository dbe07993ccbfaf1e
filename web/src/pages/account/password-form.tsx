import { newPassword } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { api } from '../../api.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import styles from './account.module.css'
import { t } from './words.ts'

const EMPTY = { currentPassword: '', newPassword: '' }
const input = () =>
  z.object({ currentPassword: z.string().min(1, t.enterCurrentPassword), newPassword })

/** Changes the password; signs every other device out. */
export function PasswordForm() {
  const form = useForm({
    initial: EMPTY,
    schema: input(),
    submit: (values) => api('POST /api/auth/password', { body: values }),
    refreshes: ['GET /api/auth/sessions'],
    done: ({ ended }) => {
      form.setValues(EMPTY)
      toastDone(t.passwordChanged, t.devicesEnded({ count: ended }))
    },
  })
  return (
    <div className={styles.fields}>
      <Form form={form} submitText={t.changePassword}>
        <PasswordField
          label={t.currentPassword}
          autoComplete="current-password"
          {...form.field('currentPassword')}
        />
        <PasswordField
          label={t.newPassword}
          description={t.newPasswordHelp}
          autoComplete="new-password"
          {...form.field('newPassword')}
        />
      </Form>
    </div>
  )
}
