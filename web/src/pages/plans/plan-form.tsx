import { CreatePlan, EditPlan, type Plan } from '@lodge/shared/plans.ts'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { Column, Text } from '../../ui/page/layout.tsx'
import { DraftSchema, draftOf, type LimitDraft, layerOf } from '../limits/limit-draft.ts'
import { LimitEditor } from '../limits/limit-editor.tsx'
import { limitName } from '../limits/limit-words.ts'

type Values = LimitDraft & { readonly name: string; readonly description: string }

const Names = z.object({ name: EditPlan.shape.name, description: EditPlan.shape.description })
const Checked = DraftSchema.and(Names)
const OWN_LABELS = { name: 'Name', description: 'Description' } as const
const labelOf = (name: keyof Values): string =>
  name === 'name' || name === 'description' ? OWN_LABELS[name] : limitName(name)

interface PlanFormProps {
  plan?: Plan
  onDone: (plan: Plan) => void
}

/** Name, description and limits of an account plan. */
export const PlanForm = (props: PlanFormProps) => (
  <SaveForm
    label={props.plan ? `Plan ${props.plan.name}` : 'New plan'}
    submitText={props.plan ? 'Save plan' : 'Create plan'}
  >
    <PlanFields {...props} />
  </SaveForm>
)

function PlanFields({ plan, onDone }: PlanFormProps) {
  const client = useQueryClient()
  const missing = useMissing()('plans.manage')
  const limits = draftOf(plan?.limits ?? {})
  const form = useForm<Values, Plan>({
    initial: { ...limits, name: plan?.name ?? '', description: plan?.description ?? '' },
    schema: Checked,
    nameOf: (pointer) => pointer.replace(/^limits\//, ''),
    submit: ({ name, description, ...draft }) => {
      const body = { name, description, limits: layerOf(draft) }
      return plan
        ? api('PUT /api/plans/{id}', { params: { id: plan.id }, body: EditPlan.parse(body) })
        : api('POST /api/plans', { body: CreatePlan.parse({ ...body, kind: 'account' }) })
    },
    refreshes: ['GET /api/plans', 'GET /api/customers/{id}/limits'],
    done: (saved) => {
      client.setQueryData(['GET /api/plans/{id}', { params: { id: saved.id } }], saved)
      onDone(saved)
    },
  })
  useSavePart(form, {
    labelOf,
    blocked: missing ?? (form.values.name.trim() === '' ? 'Name the plan' : undefined),
  })
  const disabled = missing !== undefined
  return (
    <>
      <FormSection
        title="Plan"
        description="Customers see the name beside the limits that it gives them."
      >
        <TextField
          label="Name"
          width="name"
          autoComplete="off"
          disabled={disabled}
          {...form.field('name')}
        />
        <AreaField
          label="Description (optional)"
          rows={2}
          disabled={disabled}
          {...form.field('description')}
        />
      </FormSection>
      <Column gap={4}>
        <h2>Limits</h2>
        <Text muted>
          Totals add to the defaults and to other plans. Of sizes and lists the most generous
          applies, and one yes is enough. What you do not set here changes nothing.
        </Text>
      </Column>
      <LimitEditor
        draft={form.values}
        saved={limits}
        errors={form.errors}
        column="In this plan"
        disabled={disabled}
        onChange={(key, value) => form.set(key, value)}
      />
    </>
  )
}
