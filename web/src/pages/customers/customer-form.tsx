import {
  CreateCustomer,
  type Customer,
  EditCustomer,
  type ShownLink,
} from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { showLink } from '../../session/shown-link.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { t } from './words.ts'

interface Values {
  email: string
  name: string
  password: string
}

/** E-mail and name of a customer; a new one may get a first password. */
export function CustomerForm({
  customer,
  disabledBecause,
  onDone,
}: {
  customer?: Customer
  disabledBecause?: string | undefined
  onDone: (customer: Customer) => void
}) {
  const client = useQueryClient()
  const bodyOf = ({ email, name, password }: Values): unknown => ({
    email,
    ...(name.trim() === '' ? (customer ? { name: null } : {}) : { name }),
    ...(password === '' ? {} : { password }),
  })
  const form = useForm<Values, Customer & { link?: ShownLink | undefined }>({
    initial: { email: customer?.email ?? '', name: customer?.name ?? '', password: '' },
    schema: customer ? EditCustomer : CreateCustomer,
    toBody: bodyOf,
    submit: (values) =>
      customer
        ? api('PATCH /api/customers/{id}', {
            params: { id: customer.id },
            body: EditCustomer.parse(bodyOf(values)),
          })
        : api('POST /api/customers', { body: CreateCustomer.parse(bodyOf(values)) }),
    refreshes: ['GET /api/customers'],
    done: ({ link, ...saved }) => {
      showLink(saved.email, { link })
      client.setQueryData(['GET /api/customers/{id}', { params: { id: saved.id } }], saved)
      onDone(saved)
    },
  })
  return (
    <Form
      form={form}
      command
      submitText={customer ? t.saveCustomer : t.createCustomer}
      disabledBecause={disabledBecause}
    >
      <UnsavedGuard changes={!customer && form.changed.length > 0} isSaving={() => form.busy} />
      <TextField label={t.email} type="email" autoComplete="off" {...form.field('email')} />
      <TextField label={t.nameOptional} autoComplete="off" {...form.field('name')} />
      {customer ? null : (
        <PasswordField
          label={t.firstPassword}
          description={t.firstPasswordHelp}
          autoComplete="new-password"
          {...form.field('password')}
        />
      )}
    </Form>
  )
}
