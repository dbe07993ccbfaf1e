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
import { useSaved } from '../../ui/form/use-saved.ts'
import { Column, Text } from '../../ui/page/layout.tsx'
import { DraftSchema, draftOf, type LimitDraft, layerOf } from '../limits/limit-draft.ts'
import { LimitEditor } from '../limits/limit-editor.tsx'
import { limitName } from '../limits/limit-words.ts'
import { t } from './words.ts'

type Values = LimitDraft & { readonly name: string; readonly description: string }

const Names = z.object({ name: EditPlan.shape.name, description: EditPlan.shape.description })
const Checked = DraftSchema.and(Names)
const labelOf = (name: keyof Values): string =>
  name === 'name' ? t.name : name === 'description' ? t.description : limitName(name)

interface PlanFormProps {
  plan?: Plan
  onDone: (plan: Plan) => void
}

/** Name, description and limits of an account plan. */
export const PlanForm = (props: PlanFormProps) => (
  <SaveForm
    label={props.plan ? t.formOf({ name: props.plan.name }) : t.newPlan}
    submitText={props.plan ? t.savePlan : t.createPlan}
  >
    <PlanFields {...props} />
  </SaveForm>
)

function PlanFields({ plan, onDone }: PlanFormProps) {
  const client = useQueryClient()
  const missing = useMissing()('plans.manage')
  const limits = draftOf(plan?.limits ?? {})
  const initial = { ...limits, name: plan?.name ?? '', description: plan?.description ?? '' }
  const form = useForm<Values, Plan>({
    initial,
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
  useSaved(form, initial)
  useSavePart(form, {
    labelOf,
    blocked: missing ?? (form.values.name.trim() === '' ? t.nameMissing : undefined),
  })
  const disabled = missing !== undefined
  return (
    <>
      <FormSection title={t.plan} description={t.planHelp}>
        <TextField
          label={t.name}
          width="name"
          autoComplete="off"
          disabled={disabled}
          {...form.field('name')}
        />
        <AreaField
          label={t.descriptionOptional}
          rows={2}
          disabled={disabled}
          {...form.field('description')}
        />
      </FormSection>
      <Column gap={4}>
        <h2>{t.limits}</h2>
        <Text muted>{t.limitsHelp}</Text>
      </Column>
      <LimitEditor
        draft={form.values}
        saved={limits}
        errors={form.errors}
        column={t.inThisPlan}
        disabled={disabled}
        onChange={(key, value) => form.set(key, value)}
      />
    </>
  )
}
