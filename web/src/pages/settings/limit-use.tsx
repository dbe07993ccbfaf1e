import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { Card } from '../../ui/card.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Fields } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { NumberField } from '../../ui/measure-fields.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { useSettingsForm } from './settings-form.ts'

const ON_EXCEED = [
  { value: 'refuse', label: 'Refuse', description: 'What would exceed a limit does not happen' },
  { value: 'warn', label: 'Only warn', description: 'It happens, and is told' },
] as const
const ADMINISTRATORS = [
  {
    value: 'force_required',
    label: 'Say so first',
    description: 'An administrator exceeds a limit by choosing to, each time',
  },
  { value: 'always', label: 'Always may', description: 'Limits do not stop administrators' },
] as const

type Values = Omit<LimitSettings, 'warnPercent'> & { warnPercent: number | undefined }

/** How limits are used: whether, what happens above them, who is told. */
export function LimitUse({ saved }: { saved: LimitSettings }) {
  const form = useSettingsForm<Values, LimitSettings>({
    initial: saved,
    submit: (values) =>
      api('PUT /api/limits/settings', {
        body: { ...values, warnPercent: values.warnPercent ?? saved.warnPercent },
      }),
    query: 'GET /api/limits/settings',
    said: 'Use of limits saved',
  })
  const { values } = form
  return (
    <Form
      form={form}
      label="Use of limits"
      submitText="Save use of limits"
      disabledBecause={form.unchanged}
    >
      <Card title="Use of limits">
        <Fields>
          <SwitchField
            label="Use limits"
            description="Off ignores every limit everywhere; the numbers are kept"
            {...form.field('useLimits')}
          />
          <Part title="Above a limit">
            <Choices
              label="Above a limit"
              value={values.onExceed}
              choices={ON_EXCEED}
              disabled={!values.useLimits}
              onChange={(next) => form.set('onExceed', next)}
            />
          </Part>
          <Part title="Administrators">
            <Choices
              label="Administrators"
              value={values.administrators}
              choices={ADMINISTRATORS}
              disabled={!values.useLimits}
              onChange={(next) => form.set('administrators', next)}
            />
          </Part>
          <NumberField
            label="Warn from this percentage of a limit on"
            placeholder={String(saved.warnPercent)}
            {...form.field('warnPercent')}
          />
          <SwitchField label="Show customers what they use" {...form.field('showUsage')} />
          <SwitchField
            label="Tell customers when they come close or are above"
            {...form.field('notifyCustomers')}
          />
          <SwitchField
            label="Limits by hand on single customers hold"
            {...form.field('allowOverrides')}
          />
          <SwitchField
            label="Servers of a server plan count too"
            description="Off: only servers without a plan of their own take from an account’s limits"
            {...form.field('countPlanServers')}
          />
        </Fields>
      </Card>
    </Form>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 style={{ marginBottom: 6 }}>{title}</h3>
      {children}
    </div>
  )
}
