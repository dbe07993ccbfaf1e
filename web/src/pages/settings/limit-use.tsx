import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { Fields } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/card.tsx'
import { useSettingsForm } from './settings-form.ts'
import { LIMIT_USE } from './settings-groups.ts'

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

type Values = Omit<LimitSettings, 'warnPercent' | 'selfService'> & {
  warnPercent: number | undefined
}

/** How limits apply: whether, what happens above them, who is notified. */
export function LimitUse({ saved }: { saved: LimitSettings }) {
  const { selfService, ...initial } = saved
  const form = useSettingsForm<Values, LimitSettings>({
    group: LIMIT_USE,
    initial,
    submit: (values) =>
      api('PUT /api/limits/settings', {
        body: { ...values, selfService, warnPercent: values.warnPercent ?? saved.warnPercent },
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
      <Card title={form.cardOf('useLimits')}>
        <Fields>
          <SwitchField {...form.field('useLimits')} />
          <Part title={form.field('onExceed').label}>
            <Choices {...form.field('onExceed')} choices={ON_EXCEED} disabled={!values.useLimits} />
          </Part>
          <Part title={form.field('administrators').label}>
            <Choices
              {...form.field('administrators')}
              choices={ADMINISTRATORS}
              disabled={!values.useLimits}
            />
          </Part>
          <NumberField placeholder={String(saved.warnPercent)} {...form.field('warnPercent')} />
          <SwitchField {...form.field('showUsage')} />
          <SwitchField {...form.field('notifyCustomers')} />
          <SwitchField {...form.field('allowOverrides')} />
          <SwitchField {...form.field('countPlanServers')} />
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
