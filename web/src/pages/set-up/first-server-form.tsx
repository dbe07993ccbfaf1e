import { whyNoImage } from '@lodge/shared/templates/registries.ts'
import { api, type Reply } from '../../api.ts'
import { why } from '../../panel/said.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { VariableField } from '../../ui/form/variable-field.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ImageNote } from '../servers/create/container/image-note.tsx'
import { TemplateTiles } from '../servers/create/container/template-tiles.tsx'
import {
  bodyOf,
  firstFitting,
  initialValues,
  type Node,
  schema,
  sizesOf,
  type Template,
  type Values,
} from '../servers/create/container/values.ts'
import { useServerCreated } from '../servers/create/server-created.ts'
import { inShownOrder } from '../templates/categories.ts'
import { t } from './words.ts'

/** Template and name; the template and Lodge choose the rest. Then opens the console. */
export function FirstServerForm({
  templates,
  nodes,
  ownerId,
}: {
  templates: readonly Template[]
  nodes: readonly Node[]
  ownerId: string
}) {
  const form = useForm<Values, Reply<'POST /api/servers'>>({
    initial: {
      ...initialValues(firstFitting(inShownOrder(templates), nodes), ownerId),
      name: 'my-first-server',
    },
    schema,
    toBody: bodyOf,
    submit: (values) => api('POST /api/servers', { body: bodyOf(values) }),
    done: useServerCreated(),
  })
  const choose = (id: string): void => {
    const sizes = sizesOf(templates.find((one) => one.id === id)?.recommended)
    form.setValues((old) => ({ ...old, templateId: id, variables: {}, ...sizes }))
  }
  const { values } = form
  const template = templates.find(({ id }) => id === values.templateId)
  // Only variables without a default, or with a refused value, are shown.
  const wanted = (template?.variables ?? []).filter(
    ({ env, editable, default: given }) =>
      editable && (given === '' || form.errors[`variables/${env}`] !== undefined),
  )
  return (
    <Card>
      <Form form={form} submitText={t.create}>
        <TemplateTiles templates={templates} chosen={values.templateId} onChoose={choose} />
        <ImageNote why={template && why(whyNoImage(template.registries, nodes))} />
        <TextField label={t.name} autoComplete="off" {...form.field('name')} />
        {wanted.map((variable) => (
          <VariableField
            key={variable.env}
            label={variable.name}
            description={variable.description || undefined}
            input={variable.input}
            value={values.variables[variable.env] ?? variable.default}
            error={form.errors[`variables/${variable.env}`]}
            onChange={(value) =>
              form.set('variables', { ...values.variables, [variable.env]: value })
            }
          />
        ))}
      </Form>
    </Card>
  )
}
