import { ApiError } from '../../../api.ts'
import { useMissing } from '../../../session/session.ts'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import type { BoundField } from '../../../ui/fields/field-props.ts'

interface LimitSwitchProps {
  form: {
    refusal: unknown
    values: { force: boolean }
    field: (name: 'force') => BoundField<boolean>
  }
  /** What is being created, in words. */
  thing: string
}

/** Offered after the customer's limit has refused the request. */
export function LimitSwitch({ form, thing }: LimitSwitchProps) {
  const missing = useMissing()('servers.force_limits')
  const limited = form.refusal instanceof ApiError && form.refusal.problem.code === 'limit_exceeded'
  if (!limited && !form.values.force) return null
  return (
    <SwitchField
      label="Exceed the limit"
      description={missing ?? `The limit of the customer is ignored for this ${thing}`}
      disabled={missing !== undefined}
      {...form.field('force')}
    />
  )
}
