import { useMe } from '../../../session/session.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import type { BoundField } from '../../../ui/fields/field-props.ts'
import { useCustomerChoices } from '../../customers/choose/use-customer-choices.ts'
import { t } from './words.ts'

interface OwnerFieldProps extends BoundField<string> {
  /** The current owner. */
  present?: { readonly id: string; readonly email: string }
}

/** The owner of a server: a customer found by name or e-mail, or the person who creates it. */
export function OwnerField({ present, ...props }: OwnerFieldProps) {
  const me = useMe()
  const now = present && { value: present.id, label: present.email }
  const own = { value: me.id, label: t.you({ email: me.email }) }
  const found = useCustomerChoices(now && now.value !== own.value ? [now, own] : [own])
  return (
    <SelectField {...props} {...found} label={t.owner} placeholder={t.searchCustomers} searchable />
  )
}
