import { useQueryClient } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { useSaved } from '../../ui/form/use-saved.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { t } from './words.ts'

export type Inbound = Reply<'GET /api/support/inbound/settings'>
interface Values {
  enabled: boolean
  address: string
  opensTickets: boolean
}

/** Whether mail is received, and at which address. */
export function InboundSettings({ saved }: { saved: Inbound }) {
  const client = useQueryClient()
  const initial: Values = {
    enabled: saved.enabled,
    address: saved.address ?? '',
    opensTickets: saved.opensTickets,
  }
  const form = useForm<Values, Inbound>({
    initial,
    submit: ({ enabled, address, opensTickets }) =>
      api('PUT /api/support/inbound/settings', {
        body: { enabled, opensTickets, address: address.trim() || null },
      }),
    done: (next) => {
      client.setQueryData(['GET /api/support/inbound/settings'], next)
      toastDone(t.saved)
    },
  })
  useSaved(form, initial)
  const { values } = form
  useSavePart(form, {
    labelOf: (name) => LABELS[name](),
    blocked: values.enabled && values.address.trim() === '' ? t.addressMissing : undefined,
  })
  return (
    <FormSection title={t.incoming} description={t.incomingText}>
      <SwitchField label={t.enabled} {...form.field('enabled')} />
      <TextField
        label={t.address}
        description={t.addressHelp}
        type="email"
        autoComplete="off"
        width="address"
        placeholder={t.addressExample}
        {...form.field('address')}
      />
      <SwitchField
        label={t.opensTickets}
        description={t.opensTicketsHelp}
        {...form.field('opensTickets')}
      />
    </FormSection>
  )
}

const LABELS: Readonly<Record<keyof Values, () => string>> = {
  enabled: () => t.enabled,
  address: () => t.address,
  opensTickets: () => t.opensTickets,
}
