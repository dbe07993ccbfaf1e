import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, Refusal, type Reply } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { useMissing } from '../../../session/session.ts'
import { Card } from '../../../ui/card.tsx'
import { Form, useForm } from '../../../ui/form.tsx'
import { Column, Split } from '../../../ui/layout.tsx'
import { Note } from '../../../ui/note.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Tiles } from '../../../ui/tiles.tsx'
import styles from './new-server.module.css'
import { OptionFields } from './option-fields.tsx'
import { OwnerField } from './owner-field.tsx'
import { PlaceFields } from './place-fields.tsx'
import { SizeFields } from './size-fields.tsx'
import { Summary } from './summary.tsx'
import {
  bodyOf,
  initialValues,
  type Node,
  schema,
  sizesOf,
  type Template,
  type Values,
} from './values.ts'

interface NewServerFormProps {
  templates: readonly Template[]
  nodes: readonly Node[]
  templateId: string | undefined
  ownerId: string | undefined
}

/** The form of a new server. A refusal keeps all input and goes to the field it is about. */
export function NewServerForm({ templates, nodes, templateId, ownerId }: NewServerFormProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const missing = useMissing()
  const form = useForm<Values, Reply<'POST /api/servers'>>({
    initial: initialValues(
      templates.find(({ id }) => id === templateId) ?? templates[0],
      ownerId ?? '',
    ),
    schema,
    toBody: bodyOf,
    submit: (values) => api('POST /api/servers', { body: bodyOf(values) }),
    done: ({ serverId }) => {
      void client.invalidateQueries({ queryKey: ['GET /api/servers'] })
      void client.invalidateQueries({ queryKey: ['GET /api/jobs'] })
      void navigate({ to: paths.serverConsole, params: { id: serverId } })
    },
  })
  const { values } = form
  const template = templates.find(({ id }) => id === values.templateId)
  const options = template?.variables.filter(({ editable }) => editable) ?? []
  const limited = form.refusal instanceof Refusal && form.refusal.problem.code === 'limit_exceeded'
  const choose = (id: string): void => {
    const sizes = sizesOf(templates.find((one) => one.id === id)?.recommended)
    form.setValues((old) => ({ ...old, templateId: id, variables: {}, ...sizes }))
  }
  return (
    <Split side={320}>
      <Column>
        <Card title="Template">
          <Tiles
            legend="Template"
            items={templates}
            keyOf={({ id }) => id}
            chosen={values.templateId}
            onChoose={choose}
          >
            {(one) => (
              <>
                <b>{one.name}</b>
                <small>{one.description || 'No description'}</small>
              </>
            )}
          </Tiles>
        </Card>
        <Card title="Name and owner">
          <div className={styles.fields}>
            <TextField
              label="Name"
              placeholder="lobby"
              autoComplete="off"
              {...form.field('name')}
            />
            <OwnerField {...form.field('ownerId')} />
          </div>
        </Card>
        <Card title="Place">
          <PlaceFields form={form} nodes={nodes} />
        </Card>
        <Card title="Size">
          <SizeFields form={form} recommended={sizesOf(template?.recommended)} />
        </Card>
        <OptionFields form={form} variables={options} />
      </Column>
      <div className={styles.side}>
        <Card title="Summary">
          <Form form={form} submitText="Create server" submitFull>
            <Summary values={values} template={template} nodes={nodes} />
            <SwitchField label="Start after the installation" {...form.field('start')} />
            {limited || values.force ? (
              <SwitchField
                label="Exceed the limit"
                description={
                  missing('servers.force_limits') ??
                  'The limit of the customer is ignored for this server'
                }
                disabled={missing('servers.force_limits') !== undefined}
                {...form.field('force')}
              />
            ) : null}
            {form.refusal === undefined && Object.keys(form.errors).length > 0 ? (
              <Note tone="warn">Some fields need your attention.</Note>
            ) : null}
          </Form>
        </Card>
      </div>
    </Split>
  )
}
