import type { TokenScope } from '@lodge/shared/permissions.ts'
import { api } from '../../api.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { t } from './words.ts'

const labels = (): Readonly<Record<TokenScope, string>> => ({
  read: t.mayRead,
  provision: t.mayProvision,
  suspend: t.maySuspend,
})
const SCOPES: readonly TokenScope[] = ['read', 'provision', 'suspend']

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
          scopes: SCOPES.filter((scope) => values[scope]),
        },
      }),
    refreshes: ['GET /api/tokens'],
    done: ({ secret }) => {
      form.setValues(EMPTY)
      onMade(secret)
    },
  })
  const days = form.values.days
  const none = !SCOPES.some((scope) => form.values[scope])
  const missing =
    form.values.name.trim() === ''
      ? t.nameMissing
      : none
        ? t.scopeMissing
        : days !== undefined && days < 1
          ? t.tooShort
          : undefined
  return (
    <Form form={form} command submitText={t.createToken} disabledBecause={missing}>
      <TextField label={t.name} autoComplete="off" {...form.field('name')} />
      <NumberField
        label={t.days}
        placeholder={t.never}
        description={t.daysHelp}
        {...form.field('days')}
      />
      {SCOPES.map((scope) => (
        <SwitchField key={scope} label={labels()[scope]} {...form.field(scope)} />
      ))}
    </Form>
  )
}
