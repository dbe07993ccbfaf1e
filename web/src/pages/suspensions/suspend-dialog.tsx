import type { Customer } from '@lodge/shared/accounts.ts'
import {
  EditSuspension,
  SUSPENSION_REASONS,
  SuspendCustomer,
  type Suspension,
  type SuspensionOptions,
  type SuspensionReason,
  type SuspensionSettings,
} from '@lodge/shared/suspensions.ts'
import { useQuery } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { OptionTicks } from './option-ticks.tsx'
import { t } from './words.ts'

interface SuspendDialogProps {
  customer: Customer
  /** The suspension to change; absent for a new one. */
  present?: Suspension
  opened: boolean
  onClose: () => void
}

/** Suspends a customer, or changes their suspension. */
export function SuspendDialog({ customer, present, opened, onClose }: SuspendDialogProps) {
  const { email } = customer
  return (
    <Dialog
      wide
      title={present ? t.editTitle({ email }) : t.suspendTitle({ email })}
      opened={opened}
      onClose={onClose}
    >
      <Asked customer={customer} {...(present && { present })} onDone={onClose} />
    </Dialog>
  )
}

type AskedProps = Pick<SuspendDialogProps, 'customer' | 'present'> & { onDone: () => void }

function Asked(props: AskedProps) {
  const settings = useQuery(q('GET /api/support/suspension-settings'))
  return (
    <Loaded query={settings} lines={8}>
      {(loaded) => <SuspendForm {...props} settings={loaded} />}
    </Loaded>
  )
}

interface Values {
  reasonCode: SuspensionReason
  publicReason: string
  options: SuspensionOptions
  /** A day; empty for none. */
  until: string
  note: string
}

/** The day of a time in the browser's zone, and the time at which a day begins. */
const dayOf = (at: string | null): string =>
  at === null ? '' : new Date(at).toLocaleDateString('sv-SE')
const momentOf = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T00:00`).toISOString()

function SuspendForm({
  customer: { id, email },
  present,
  settings,
  onDone,
}: AskedProps & { settings: SuspensionSettings }) {
  const mayNote = useMay()('suspension.notes')
  const bodyOf = ({ reasonCode, publicReason, options, until, note }: Values) => ({
    ...{ reasonCode, publicReason, options },
    ...((!present || until !== dayOf(present.endsAt)) && { endsAt: momentOf(until) }),
    ...(!present && note.trim() !== '' && { note }),
  })
  const form = useForm<Values, Reply<'GET /api/customers/{id}/suspension'>>({
    initial: {
      reasonCode: present?.reasonCode ?? 'abuse',
      publicReason: present?.publicReason ?? '',
      options: present?.options ?? settings.options,
      until: dayOf(present?.endsAt ?? null),
      note: '',
    },
    schema: present ? EditSuspension : SuspendCustomer,
    toBody: bodyOf,
    submit: (values) =>
      present
        ? api('PATCH /api/customers/{id}/suspension', { params: { id }, body: bodyOf(values) })
        : api('POST /api/customers/{id}/suspend', { params: { id }, body: bodyOf(values) }),
    refreshes: [
      'GET /api/customers/{id}/suspension',
      'GET /api/customers/{id}',
      'GET /api/customers',
    ],
    done: () => {
      onDone()
      toastDone(present ? t.saved : t.suspended({ email }))
    },
  })
  const { templates } = settings
  return (
    <Form
      form={form}
      command
      submitText={present ? t.save : t.suspend}
      submitKind={present ? 'primary' : 'danger'}
    >
      {templates.length === 0 ? null : (
        <SelectField
          label={t.template}
          placeholder={t.chooseTemplate}
          choices={templates.map(({ name }, at) => ({ value: String(at), label: name }))}
          value=""
          onChange={(at) => {
            const chosen = templates[Number(at)]
            if (chosen)
              form.setValues({
                ...form.values,
                ...{ reasonCode: chosen.reasonCode, publicReason: chosen.text },
              })
          }}
        />
      )}
      <SelectField
        label={t.reasonLabel}
        choices={SUSPENSION_REASONS.map((code) => ({ value: code, label: t.reason({ code }) }))}
        {...form.field('reasonCode')}
        onChange={(code) => form.set('reasonCode', code as SuspensionReason)}
      />
      <AreaField
        label={t.publicReason}
        description={t.publicReasonHelp}
        rows={4}
        width="fill"
        {...form.field('publicReason')}
      />
      <OptionTicks value={form.values.options} onChange={(next) => form.set('options', next)} />
      <TextField
        type="date"
        label={t.until}
        description={t.untilHelp}
        width="name"
        {...form.field('until')}
      />
      {present || !mayNote ? null : (
        <AreaField
          label={t.note}
          description={t.noteHelp}
          rows={2}
          width="fill"
          {...form.field('note')}
        />
      )}
    </Form>
  )
}
