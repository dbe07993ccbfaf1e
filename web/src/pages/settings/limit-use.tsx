import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import { api } from '../../api.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { FormSection, Labelled } from '../../ui/form/section.tsx'
import { WithDefault } from '../../ui/form/with-default.tsx'
import { useSettingsForm } from './settings-form.ts'
import { LIMIT_USE } from './settings-groups.ts'

const ON_EXCEED = [
  { value: 'refuse', label: 'Refuse', description: 'What would exceed a limit is refused.' },
  { value: 'warn', label: 'Only warn', description: 'It happens, with a warning.' },
] as const
const ADMINISTRATORS = [
  {
    value: 'force_required',
    label: 'Confirm each time',
    description: 'An administrator confirms each time that a limit is exceeded.',
  },
  { value: 'always', label: 'Always allow', description: 'Limits do not stop administrators.' },
] as const

type Values = Omit<LimitSettings, 'warnPercent' | 'selfService'> & {
  warnPercent: number | undefined
}
type Switch = 'useLimits' | 'showUsage' | 'notifyCustomers' | 'allowOverrides' | 'countPlanServers'

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
  const off = !form.values.useLimits
  const unused = off ? 'Switch on “Use limits” first.' : undefined
  const switched = (name: Switch) => (
    <WithDefault {...form.standing(name)}>
      <SwitchField {...form.field(name)} />
    </WithDefault>
  )
  return (
    <>
      <FormSection
        title={form.cardOf('useLimits')}
        description="Whether limits apply, to whom, and what happens when something would exceed one."
      >
        {switched('useLimits')}
        <WithDefault {...form.standing('onExceed', ON_EXCEED)}>
          <Labelled label={form.field('onExceed').label}>
            <Choices
              {...form.field('onExceed', undefined, unused)}
              choices={ON_EXCEED}
              disabled={off}
            />
          </Labelled>
        </WithDefault>
        <WithDefault {...form.standing('administrators', ADMINISTRATORS)}>
          <Labelled label={form.field('administrators').label}>
            <Choices
              {...form.field('administrators', undefined, unused)}
              choices={ADMINISTRATORS}
              disabled={off}
            />
          </Labelled>
        </WithDefault>
        {switched('allowOverrides')}
        {switched('countPlanServers')}
      </FormSection>
      <FormSection
        title={form.cardOf('warnPercent')}
        description="What customers see of their limits before they reach one."
      >
        <WithDefault {...form.standing('warnPercent')}>
          <NumberField {...form.field('warnPercent')} />
        </WithDefault>
        {switched('showUsage')}
        {switched('notifyCustomers')}
      </FormSection>
    </>
  )
}
