import { CreatePlan, EditPlan, type Plan } from '@lodge/shared/plans.ts'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { DraftSchema, draftOf, type LimitDraft, layerOf } from '../limits/limit-draft.ts'
import { LimitEditor } from '../limits/limit-editor.tsx'

type Values = LimitDraft & { readonly name: string; readonly description: string }

const Names = z.object({ name: EditPlan.shape.name, description: EditPlan.shape.description })
const Checked = DraftSchema.and(Names)

/** Name, description and limits of an account plan. */
export function PlanForm({ plan, onDone }: { plan?: Plan; onDone: (plan: Plan) => void }) {
  const client = useQueryClient()
  const missing = useMissing()
  const initial: Values = {
    ...draftOf(plan?.limits ?? {}),
    name: plan?.name ?? '',
    description: plan?.description ?? '',
  }
  const form = useForm<Values, Plan>({
    initial,
    schema: Checked,
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
  const blocked = missing('plans.manage')
  const changed = JSON.stringify(form.values) !== JSON.stringify(initial)
  const disabled = blocked !== undefined
  return (
    <Form
      form={form}
      label={plan ? `Plan ${plan.name}` : 'New plan'}
      long={changed}
      submitText={plan ? 'Save plan' : 'Create plan'}
      disabledBecause={
        blocked ??
        (form.values.name.trim() === ''
          ? 'Give it a name'
          : changed
            ? undefined
            : 'Nothing has been changed')
      }
    >
      <Card title="Plan">
        <Column gap={14}>
          <TextField label="Name" autoComplete="off" disabled={disabled} {...form.field('name')} />
          <AreaField
            label="Description (optional)"
            rows={2}
            disabled={disabled}
            {...form.field('description')}
          />
        </Column>
      </Card>
      <Text muted>
        Totals add to the defaults and to other plans; of sizes and lists the most generous holds,
        and one yes is enough. What is not set here leaves the defaults alone.
      </Text>
      <LimitEditor
        draft={form.values}
        errors={form.errors}
        column="In this plan"
        disabled={disabled}
        onChange={(key, value) => form.set(key, value)}
      />
    </Form>
  )
}
