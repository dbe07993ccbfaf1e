import { newPassword } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { api } from '../../api.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import styles from './account.module.css'

const EMPTY = { currentPassword: '', newPassword: '' }
const Input = z.object({
  currentPassword: z.string().min(1, 'Enter your current password'),
  newPassword,
})

/** Changes the password; signs every other device out. */
export function PasswordForm() {
  const form = useForm({
    initial: EMPTY,
    schema: Input,
    submit: (values) => api('POST /api/auth/password', { body: values }),
    refreshes: ['GET /api/auth/sessions'],
    done: ({ ended }) => {
      form.setValues(EMPTY)
      toastDone(
        'Password changed',
        ended === 1 ? '1 other device was signed out.' : `${ended} other devices were signed out.`,
      )
    },
  })
  return (
    <div className={styles.fields}>
      <Form form={form} submitText="Change password">
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.field('currentPassword')}
        />
        <PasswordField
          label="New password"
          description="12 or more characters. Every other device is signed out, and your API tokens end."
          autoComplete="new-password"
          {...form.field('newPassword')}
        />
      </Form>
    </div>
  )
}
