import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import { api } from '../../api.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { FormSection, Labelled } from '../../ui/form/section.tsx'
import { WithDefault } from '../../ui/form/with-default.tsx'
import { useSettingsForm } from './settings-form.ts'
import { LIMIT_USE } from './settings-groups.ts'
import { t } from './words.ts'

const onExceed = () =>
  [
    { value: 'refuse', label: t.refuse, description: t.refuseHelp },
    { value: 'warn', label: t.onlyWarn, description: t.onlyWarnHelp },
  ] as const
const administrators = () =>
  [
    { value: 'force_required', label: t.confirmEach, description: t.confirmEachHelp },
    { value: 'always', label: t.alwaysAllow, description: t.alwaysAllowHelp },
  ] as const

type Values = Omit<LimitSettings, 'warnPercent' | 'selfService'> & {
  warnPercent: number | undefined
}
type Switch = 'useLimits' | 'showUsage' | 'notifyCustomers' | 'allowOverrides' | 'countPlanServers'

/** How limits apply: whether, what happens above them, who is notified. */
export function LimitUse({ saved }: { saved: LimitSettings }) {
  const form = useSettingsForm({
    group: LIMIT_USE,
    saved,
    valuesOf: ({ selfService: _, ...values }): Values => values,
    submit: (values, { selfService, warnPercent }) =>
      api('PUT /api/limits/settings', {
        body: { ...values, selfService, warnPercent: values.warnPercent ?? warnPercent },
      }),
    query: 'GET /api/limits/settings',
    said: t.limitUseSaved,
  })
  const off = !form.values.useLimits
  const unused = off ? t.useLimitsFirst : undefined
  const switched = (name: Switch) => (
    <WithDefault {...form.standing(name)}>
      <SwitchField {...form.field(name)} />
    </WithDefault>
  )
  return (
    <>
      <FormSection title={form.cardOf('useLimits')} description={t.useOfLimitsText}>
        {switched('useLimits')}
        <WithDefault {...form.standing('onExceed', onExceed())}>
          <Labelled label={form.field('onExceed').label}>
            <Choices
              {...form.field('onExceed', undefined, unused)}
              choices={onExceed()}
              disabled={off}
            />
          </Labelled>
        </WithDefault>
        <WithDefault {...form.standing('administrators', administrators())}>
          <Labelled label={form.field('administrators').label}>
            <Choices
              {...form.field('administrators', undefined, unused)}
              choices={administrators()}
              disabled={off}
            />
          </Labelled>
        </WithDefault>
        {switched('allowOverrides')}
        {switched('countPlanServers')}
      </FormSection>
      <FormSection title={form.cardOf('warnPercent')} description={t.warningsText}>
        <WithDefault {...form.standing('warnPercent')}>
          <NumberField {...form.field('warnPercent')} />
        </WithDefault>
        {switched('showUsage')}
        {switched('notifyCustomers')}
      </FormSection>
    </>
  )
}
