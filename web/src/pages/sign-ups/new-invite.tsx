import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'

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
    done: ({ code }) => {
      form.setValues(EMPTY)
      onMade(code)
    },
  })
  return (
    <Form form={form} submitText="Create invitation">
      <TextField
        label="Note (optional)"
        description="Only your team sees it"
        autoComplete="off"
        {...form.field('note')}
      />
      <TextField
        label="Only for this e-mail (optional)"
        type="email"
        autoComplete="off"
        {...form.field('email')}
      />
      <PlanField {...form.field('planId')} />
      <NumberField
        label="Uses"
        description="How many people may use it"
        {...form.field('maxUses')}
      />
      <NumberField
        label="Days until it ends"
        placeholder="never"
        description="Leave empty for no end"
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
      label="Plan"
      description="What the account gets when it opens"
      choices={[
        { value: 'none', label: 'No plan' },
        ...offered.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      {...props}
    />
  )
}
