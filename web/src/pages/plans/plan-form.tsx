import { CreatePlan, EditPlan, type Plan } from '@lodge/shared/plans.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { rebased } from '../../ui/form/changes.ts'
import { useForm } from '../../ui/form/form.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { useSaved } from '../../ui/form/use-saved.ts'
import { Column, Text } from '../../ui/page/layout.tsx'
import { LimitEditor } from '../limits/limit-editor.tsx'
import { limitName } from '../limits/limit-words.ts'
import { bodyOf, changesOf, checkedOf, type PlanValues, schemaOf, valuesOf } from './plan-values.ts'
import { PresetFields } from './preset-fields.tsx'
import { PricesPart } from './prices-part.tsx'
import { SaleFields } from './sale-fields.tsx'
import { ServerLimits } from './server-limits.tsx'
import { t } from './words.ts'

const LABELS: { readonly [K in keyof PlanValues]?: () => string } = {
  name: () => t.name,
  description: () => t.description,
  features: () => t.features,
  visibility: () => t.visibility,
  active: () => t.active,
  stock: () => t.stock,
  perCustomerMax: () => t.perCustomer,
  templateIds: () => t.templates,
  workload: () => t.workload,
  mediaIds: () => t.media,
  networkId: () => t.network,
  vcpus: () => t.vcpus,
  locations: () => t.locations,
  storageId: () => t.files,
  memoryMb: () => t.memory,
  cpuPercent: () => t.cpu,
  diskMb: () => t.disk,
}
const labelOf = (name: keyof PlanValues): string =>
  LABELS[name]?.() ?? limitName(name as Parameters<typeof limitName>[0])

interface PlanFormProps {
  plan?: Plan
  onDone: (plan: Plan) => void
}

/** A plan: its name, how it is sold, and what it contains. */
export function PlanForm(props: PlanFormProps) {
  const [kind, setKind] = useState<Plan['kind']>(props.plan?.kind ?? 'account')
  return (
    <>
      {props.plan ? null : (
        <Choices
          label={t.kind}
          value={kind}
          choices={[
            { value: 'account', label: t.accountPlan, description: t.accountPlanText },
            { value: 'server', label: t.serverPlan, description: t.serverPlanText },
          ]}
          onChange={setKind}
        />
      )}
      <SaveForm
        label={props.plan ? t.formOf({ name: props.plan.name }) : t.newPlan}
        submitText={props.plan ? t.savePlan : t.createPlan}
      >
        <PlanFields key={kind} {...props} kind={kind} />
        {props.plan ? <PricesPart plan={props.plan} /> : null}
      </SaveForm>
    </>
  )
}

function PlanFields({ plan, kind, onDone }: PlanFormProps & { kind: Plan['kind'] }) {
  const client = useQueryClient()
  const missing = useMissing()('plans.manage')
  const initial = valuesOf(plan)
  const form = useForm<PlanValues, Plan>({
    initial,
    schema: schemaOf(kind, EditPlan),
    toBody: checkedOf,
    nameOf: (pointer) =>
      pointer.replace(/^(limits|preset\/(vm|limits)|preset)\//, '').replace(/\/.*/, ''),
    submit: async (values) => {
      if (!plan)
        return api('POST /api/plans', {
          body: CreatePlan.parse({ ...bodyOf(kind, values), kind }),
        })
      const params = { id: plan.id }
      // Limits and preset are sent as a whole: what a colleague saved of them meanwhile goes with it.
      const newest = valuesOf(await api('GET /api/plans/{id}', { params }))
      const body = EditPlan.parse(changesOf(kind, newest, rebased(values, initial, newest)))
      return api('PUT /api/plans/{id}', { params, body })
    },
    refreshes: ['GET /api/plans', 'GET /api/customers/{id}/limits'],
    done: (saved) => {
      client.setQueryData(['GET /api/plans/{id}', { params: { id: saved.id } }], saved)
      onDone(saved)
    },
  })
  useSaved(form, initial)
  useSavePart(form, {
    labelOf: (name) =>
      name === 'templateIds' && form.values.workload === 'vm' ? t.hardware : labelOf(name),
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
      <SaleFields form={form} disabled={disabled} planId={plan?.id} />
      {kind === 'server' ? (
        <>
          <PresetFields form={form} disabled={disabled} />
          <ServerLimits
            draft={form.values}
            saved={initial}
            errors={form.errors}
            disabled={disabled}
            onChange={(key, value) => form.set(key, value)}
          />
        </>
      ) : (
        <>
          <Column gap={4}>
            <h2>{t.limits}</h2>
            <Text muted>{t.limitsHelp}</Text>
          </Column>
          <LimitEditor
            draft={form.values}
            saved={initial}
            errors={form.errors}
            column={t.inThisPlan}
            disabled={disabled}
            onChange={(key, value) => form.set(key, value)}
          />
        </>
      )}
    </>
  )
}
