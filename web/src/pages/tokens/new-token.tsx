import type { TokenScope } from '@lodge/shared/permissions.ts'
import { api } from '../../api.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'

const SCOPES: readonly (readonly [TokenScope, string])[] = [
  ['read', 'Read customers, servers, jobs and templates'],
  ['provision', 'Create customers and servers'],
  ['suspend', 'Suspend servers and lift it'],
]

interface Values extends Record<TokenScope, boolean> {
  name: string
  days: number | undefined
}

const EMPTY: Values = { name: '', days: 365, read: true, provision: false, suspend: false }
const DAY_MS = 86_400_000

/** Creates an API token; its secret is shown only once. */
export function NewToken({ onMade }: { onMade: (secret: string) => void }) {
  const form = useForm<Values, { secret: string }>({
    initial: EMPTY,
    submit: (values) =>
      api('POST /api/tokens', {
        body: {
          name: values.name,
          ...(values.days === undefined
            ? {}
            : { expiresAt: new Date(Date.now() + values.days * DAY_MS).toISOString() }),
          scopes: SCOPES.map(([scope]) => scope).filter((scope) => values[scope]),
        },
      }),
    refreshes: ['GET /api/tokens'],
    done: ({ secret }) => {
      form.setValues(EMPTY)
      onMade(secret)
    },
  })
  const days = form.values.days
  const none = !SCOPES.some(([scope]) => form.values[scope])
  const missing =
    form.values.name.trim() === ''
      ? 'Give it a name'
      : none
        ? 'Choose what it may do'
        : days !== undefined && days < 1
          ? 'It has to last at least a day'
          : undefined
  return (
    <Form form={form} submitText="Create token" disabledBecause={missing}>
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
      <NumberField
        label="Days until it ends"
        placeholder="never"
        description="Leave empty for no end"
        {...form.field('days')}
      />
      {SCOPES.map(([scope, label]) => (
        <SwitchField key={scope} label={label} {...form.field(scope)} />
      ))}
    </Form>
  )
}
