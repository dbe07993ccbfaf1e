import { ApiError } from '../../../api.ts'
import { useMissing } from '../../../session/session.ts'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import type { BoundField } from '../../../ui/fields/field-props.ts'
import { t } from './words.ts'

interface LimitSwitchProps {
  form: {
    refusal: unknown
    values: { force: boolean }
    field: (name: 'force') => BoundField<boolean>
  }
  /** What is being created. */
  thing: 'server' | 'machine'
}

/** Offered after the customer's limit has refused the request. */
export function LimitSwitch({ form, thing }: LimitSwitchProps) {
  const missing = useMissing()('servers.force_limits')
  const limited = form.refusal instanceof ApiError && form.refusal.problem.code === 'limit_exceeded'
  if (!limited && !form.values.force) return null
  return (
    <SwitchField
      label={t.exceedLimit}
      description={missing ?? (thing === 'machine' ? t.exceedLimitMachine : t.exceedLimitServer)}
      disabled={missing !== undefined}
      {...form.field('force')}
    />
  )
}
