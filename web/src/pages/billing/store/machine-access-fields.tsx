import type { StorePlan } from '@lodge/shared/billing/billing.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { PasswordField } from '../../../ui/fields/password-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import type { FormState } from '../../../ui/form/form.tsx'
import { t } from '../words.ts'
import type { CheckoutValues } from './checkout-values.ts'

/** The medium of a bought machine, and its first user. */
export function MachineAccessFields({
  form,
  media,
}: {
  form: FormState<CheckoutValues>
  media: StorePlan['media']
}) {
  // An error in one key is shown for the whole field.
  const keysError = Object.entries(form.errors).find(([name]) =>
    name.startsWith('server/vm/sshKeys'),
  )
  const chosen = media.find(({ id }) => id === form.values.mediumId)
  return (
    <>
      <SelectField
        label={t.system}
        width="fill"
        choices={media.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('mediumId', 'server/vm/mediumId')}
      />
      {chosen?.kind === 'iso' ? null : (
        <>
          <TextField
            label={t.user}
            width="fill"
            mono
            autoComplete="off"
            {...form.field('user', 'server/vm/user')}
          />
          <AreaField
            label={t.sshKeys}
            description={t.sshKeysHelp}
            rows={3}
            mono
            {...form.field('sshKeys', 'server/vm/sshKeys')}
            error={keysError?.[1]}
          />
          <PasswordField
            label={t.firstPassword}
            description={t.firstPasswordHelp}
            autoComplete="new-password"
            {...form.field('password', 'server/vm/password')}
          />
        </>
      )}
    </>
  )
}
