import { CreateOwnServer } from '@lodge/shared/servers.ts'
import { api, type Reply } from '../../../../api.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { Tiles } from '../../../../ui/choices/tiles.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { inShownOrder } from '../../../templates/categories.ts'
import { ImageNote } from '../container/image-note.tsx'
import { OptionFields } from '../container/option-fields.tsx'
import { SizeFields } from '../container/size-fields.tsx'
import { TemplateTiles } from '../container/template-tiles.tsx'
import { type Part, sizesOf } from '../container/values.ts'
import { CreateFrame } from '../create-frame.tsx'
import { type Draft, offeredHere, type Ways } from '../drafts.ts'
import { useServerCreated } from '../server-created.ts'
import { useKindForm } from '../use-kind-form.ts'
import { t } from '../words.ts'
import { OwnSummary } from './own-summary.tsx'
import type { OwnValues } from './own-values.ts'
import { mostOf, type Options } from './quota.ts'

const OwnServer = CreateOwnServer.omit({ vm: true })

const ANYWHERE = 'anywhere'

const bodyOf = ({ image, location, ...rest }: OwnValues) => ({
  ...rest,
  ...(image === '' ? {} : { image }),
  ...(location === '' ? {} : { location }),
})

/** The template's recommendation, reduced to what is available. */
function startSizes(options: Options, templateId: string): Record<Part, number> {
  const template = options.templates.find(({ id }) => id === templateId)
  const { memoryMb, cpuPercent, diskMb } = sizesOf(template?.limits)
  const fit = (part: Part, size: number): number =>
    Math.min(size, mostOf(options.limits, part) ?? size)
  return {
    memoryMb: fit('memoryMb', memoryMb),
    cpuPercent: fit('cpuPercent', cpuPercent),
    diskMb: fit('diskMb', diskMb),
  }
}

const waysOf = (options: Options): Ways<OwnValues> => ({
  commonOf: (values) => values,
  usualSizes: ({ templateId }) => startSizes(options, templateId),
  adopt: (values, typed) => ({ ...values, ...offeredHere(typed, options) }),
})

interface OwnServerFormProps {
  options: Options
  own: Draft<OwnValues>
  other: Draft<unknown>
}

/** Creates a customer's own server and shows what is left of the limits. */
export function OwnServerForm({ options, own, other }: OwnServerFormProps) {
  const first = inShownOrder(options.templates)[0]?.id ?? ''
  const form = useKindForm<OwnValues, Reply<'POST /api/me/servers'>>({
    own,
    other,
    ways: waysOf(options),
    initial: {
      templateId: first,
      name: '',
      location: '',
      ...startSizes(options, first),
      variables: {},
      image: '',
      start: true,
    },
    schema: OwnServer,
    toBody: bodyOf,
    submit: (values) => api('POST /api/me/servers', { body: OwnServer.parse(bodyOf(values)) }),
    done: useServerCreated(),
  })
  const { values } = form
  const template = options.templates.find(({ id }) => id === values.templateId)
  const choose = (templateId: string): void =>
    form.setValues((old) => ({
      ...old,
      templateId,
      variables: {},
      image: '',
      ...startSizes(options, templateId),
    }))
  return (
    <CreateFrame
      form={form}
      submitText={t.createServer}
      summary={<OwnSummary values={values} options={options} />}
    >
      <Card title={t.template}>
        <Column>
          <TemplateTiles
            templates={options.templates}
            chosen={values.templateId}
            onChoose={choose}
          />
          <ImageNote why={template?.imageWarning} />
        </Column>
      </Card>
      <Card title={t.server}>
        <TextField
          label={t.name}
          placeholder={t.exampleServer}
          autoComplete="off"
          {...form.field('name')}
        />
      </Card>
      {options.locations.length > 1 ? (
        <Card title={t.location}>
          <Tiles
            legend={t.location}
            items={[ANYWHERE, ...options.locations]}
            keyOf={(location) => location}
            chosen={values.location === '' ? ANYWHERE : values.location}
            onChoose={(location) => form.set('location', location === ANYWHERE ? '' : location)}
          >
            {(location) => <b>{location === ANYWHERE ? t.anywhere : location}</b>}
          </Tiles>
        </Card>
      ) : null}
      <Card title={t.size}>
        <SizeFields
          form={form}
          recommended={sizesOf(template?.limits)}
          most={(part) => mostOf(options.limits, part)}
        />
      </Card>
      {template && template.images.length > 1 ? (
        <Card title={t.version}>
          <SelectField
            label={t.image}
            placeholder={template.images[0] ?? ''}
            choices={template.images.map((value) => ({ value, label: value }))}
            {...form.field('image')}
          />
        </Card>
      ) : null}
      <OptionFields form={form} variables={template?.variables ?? []} />
    </CreateFrame>
  )
}
