import { whyNoImage } from '@lodge/shared/templates/registries.ts'
import { api, type Reply } from '../../../../api.ts'
import { why } from '../../../../panel/said.ts'
import { useMe } from '../../../../session/session.ts'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { inShownOrder } from '../../../templates/categories.ts'
import { CreateFrame } from '../create-frame.tsx'
import type { Draft, Ways } from '../drafts.ts'
import { LimitSwitch } from '../limit-switch.tsx'
import { OwnerField } from '../owner-field.tsx'
import { useServerCreated } from '../server-created.ts'
import { useKindForm } from '../use-kind-form.ts'
import { t } from '../words.ts'
import { ImageNote } from './image-note.tsx'
import { OptionFields } from './option-fields.tsx'
import { PlaceFields } from './place-fields.tsx'
import { SizeFields } from './size-fields.tsx'
import { Summary } from './summary.tsx'
import { TemplateTiles } from './template-tiles.tsx'
import {
  bodyOf,
  firstFitting,
  initialValues,
  mostFree,
  type Node,
  nodesWith,
  placementOf,
  schema,
  sizesOf,
  type Template,
  type Values,
  whyNoRoom,
} from './values.ts'

/** How a container server takes over what was typed for a machine. */
const waysOf = (templates: readonly Template[]): Ways<Values> => ({
  commonOf: (values) => values,
  usualSizes: ({ templateId }) =>
    sizesOf(templates.find(({ id }) => id === templateId)?.recommended),
  adopt: (values, typed) => ({ ...values, ...typed }),
})

interface NewServerFormProps {
  templates: readonly Template[]
  nodes: readonly Node[]
  templateId: string | undefined
  ownerId: string | undefined
  own: Draft<Values>
  other: Draft<unknown>
}

/** The form of a new server. An error keeps all input and appears at its field. */
export function NewServerForm(props: NewServerFormProps) {
  const { templates, nodes, templateId, ownerId, own, other } = props
  const me = useMe()
  const form = useKindForm<Values, Reply<'POST /api/servers'>>({
    own,
    other,
    ways: waysOf(templates),
    initial: initialValues(
      templates.find(({ id }) => id === templateId) ?? firstFitting(inShownOrder(templates), nodes),
      ownerId ?? me.id,
    ),
    schema,
    toBody: bodyOf,
    submit: (values) => api('POST /api/servers', { body: bodyOf(values) }),
    done: useServerCreated(),
  })
  const { values } = form
  const template = templates.find(({ id }) => id === values.templateId)
  const able = nodesWith(values.storageId, nodes)
  const node = placementOf(values, able)
  const options = template?.variables.filter(({ editable }) => editable) ?? []
  const choose = (id: string): void => {
    const sizes = sizesOf(templates.find((one) => one.id === id)?.recommended)
    form.setValues((old) => ({ ...old, templateId: id, variables: {}, ...sizes }))
  }
  return (
    <CreateFrame
      form={form}
      submitText={t.createServer}
      disabledBecause={whyNoRoom(values, values, able)}
      summary={<Summary values={values} template={template} nodes={able} />}
      more={<LimitSwitch form={form} thing="server" />}
    >
      <Card title={t.template}>
        <Column>
          <TemplateTiles templates={templates} chosen={values.templateId} onChoose={choose} />
          <ImageNote why={template && node && why(whyNoImage(template.registries, [node]))} />
        </Column>
      </Card>
      <Card title={t.nameAndOwner}>
        <FieldGrid>
          <TextField
            label={t.name}
            placeholder={t.exampleServer}
            autoComplete="off"
            {...form.field('name')}
          />
          <OwnerField {...form.field('ownerId')} />
        </FieldGrid>
      </Card>
      <Card title={t.place}>
        <PlaceFields form={form} nodes={nodes} />
      </Card>
      <Card title={t.size}>
        <SizeFields
          form={form}
          recommended={sizesOf(template?.recommended)}
          most={(part) => mostFree(part, values, able)}
        />
      </Card>
      <OptionFields form={form} variables={options} />
    </CreateFrame>
  )
}
