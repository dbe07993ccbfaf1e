import type { TokenScope } from '@lodge/shared/permissions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Form, useForm } from '../../ui/form.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

const SCOPES: readonly (readonly [TokenScope, string])[] = [
  ['read', 'Read customers, servers, jobs and templates'],
  ['provision', 'Create customers and servers'],
  ['suspend', 'Suspend servers and lift it'],
]

interface Values extends Record<TokenScope, boolean> {
  name: string
}

/** A new API token; its secret goes to whoever asked, once. */
export function NewToken({ onMade }: { onMade: (secret: string) => void }) {
  const client = useQueryClient()
  const form = useForm<Values, { secret: string }>({
    initial: { name: '', read: true, provision: false, suspend: false },
    submit: (values) =>
      api('POST /api/tokens', {
        body: {
          name: values.name,
          scopes: SCOPES.map(([scope]) => scope).filter((scope) => values[scope]),
        },
      }),
    done: ({ secret }) => {
      form.setValues({ name: '', read: true, provision: false, suspend: false })
      void client.invalidateQueries({ queryKey: ['GET /api/tokens'] })
      onMade(secret)
    },
  })
  const none = !SCOPES.some(([scope]) => form.values[scope])
  const missing =
    form.values.name.trim() === '' ? 'Give it a name' : none ? 'Choose what it may do' : undefined
  return (
    <Form form={form} submitText="Create token" disabledBecause={missing}>
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
      {SCOPES.map(([scope, label]) => (
        <SwitchField key={scope} label={label} {...form.field(scope)} />
      ))}
    </Form>
  )
}
