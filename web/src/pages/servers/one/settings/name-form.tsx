import { EditServer, type Server } from '@lodge/shared/servers.ts'
import { api } from '../../../../api.ts'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'

const Body = EditServer.pick({ name: true }).required()

/** Renames a server, for its owner. */
export function NameForm({ server }: { server: Server }) {
  const form = useForm<{ name: string }, Server>({
    initial: { name: server.name },
    schema: Body,
    toBody: (values) => values,
    submit: (values) =>
      api('PATCH /api/me/servers/{id}', { params: { id: server.id }, body: Body.parse(values) }),
    done: ({ name }) => toastDone(`The server is called ${name} now`),
  })
  return (
    <Form form={form} submitText="Rename">
      <TextField label="Name" {...form.field('name')} />
    </Form>
  )
}
