import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { t } from './words.ts'

interface Values {
  note: string
  email: string
  maxUses: number | undefined
  expiresInDays: number | undefined
  planId: string
}
const EMPTY: Values = { note: '', email: '', maxUses: 1, expiresInDays: 14, planId: 'none' }

/** Creates an invitation; its code is shown only once. */
export function NewInvite({ onMade }: { onMade: (code: string) => void }) {
  const form = useForm<Values, { code: string }>({
    initial: EMPTY,
    submit: ({ note, email, maxUses, expiresInDays, planId }) =>
      api('POST /api/signup/invites', {
        body: {
          ...(note.trim() === '' ? {} : { note: note.trim() }),
          ...(email.trim() === '' ? {} : { email: email.trim() }),
          ...(maxUses === undefined ? {} : { maxUses }),
          ...(expiresInDays === undefined ? {} : { expiresInDays }),
          ...(planId === 'none' ? {} : { planId }),
        },
      }),
    refreshes: ['GET /api/signup/invites'],
    done: ({ code }) => onMade(code),
  })
  return (
    <Form form={form} command submitText={t.createInvitation}>
      <TextField
        label={t.note}
        description={t.noteHelp}
        autoComplete="off"
        {...form.field('note')}
      />
      <TextField label={t.onlyFor} type="email" autoComplete="off" {...form.field('email')} />
      <PlanField {...form.field('planId')} />
      <NumberField label={t.uses} description={t.usesHelp} {...form.field('maxUses')} />
      <NumberField
        label={t.days}
        placeholder={t.never}
        description={t.daysHelp}
        {...form.field('expiresInDays')}
      />
    </Form>
  )
}

interface PlanFieldProps {
  value: string
  error: string | undefined
  onChange: (planId: string) => void
}

/** The plan of the new account. */
function PlanField(props: PlanFieldProps) {
  const may = useMay()('plans.view')
  const plans = useQuery({ ...q('GET /api/plans'), enabled: may })
  if (!may) return null
  const offered = (plans.data?.items ?? []).filter(
    ({ kind, archivedAt }) => kind === 'account' && archivedAt === null,
  )
  return (
    <SelectField
      label={t.plan}
      description={t.planHelp}
      choices={[
        { value: 'none', label: t.noPlan },
        ...offered.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      {...props}
    />
  )
}
