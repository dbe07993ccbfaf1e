import {
  COMPONENT_SOURCES,
  HEALTHS,
  type Health,
  type StatusComponent,
} from '@lodge/shared/status.ts'
import { api } from '../../api.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { t } from './words.ts'

interface Values {
  source: StatusComponent['source']
  location: string
  name: string
  description: string
  shown: boolean
  health: string
}

interface ComponentDialogProps {
  /** Undefined for a new one. */
  component: StatusComponent | undefined
  /** Locations without a component. */
  locations: readonly string[]
  onClose: () => void
}

const healthIn = (text: string): Health | undefined => HEALTHS.find((one) => one === text)

function send(component: StatusComponent | undefined, values: Values): Promise<unknown> {
  const { source, location, name, description, shown, health } = values
  const given = { name, description, shown }
  if (component)
    return api('PATCH /api/status/components/{id}', {
      params: { id: component.id },
      body: { ...given, ...(source === 'manual' && { health: healthIn(health) }) },
    })
  return api('POST /api/status/components', {
    body: source === 'location' ? { source, location, ...given } : { source, ...given },
  })
}

/** A component: its public name, and where its state comes from. */
export function ComponentDialog({ component, locations, onClose }: ComponentDialogProps) {
  const [first = ''] = locations
  const form = useForm<Values, unknown>({
    initial: {
      source: component?.source ?? (first === '' ? 'manual' : 'location'),
      location: component?.location ?? first,
      name: component?.name ?? '',
      description: component?.description ?? '',
      shown: component?.shown ?? true,
      health: component?.measured ?? 'operational',
    },
    submit: (values) => send(component, values),
    refreshes: ['GET /api/status/components'],
    done: () => {
      toastDone(t.componentSaved)
      onClose()
    },
  })
  const { source } = form.values
  return (
    <Dialog
      title={component ? t.editComponent({ name: component.name }) : t.newComponent}
      opened
      onClose={onClose}
    >
      <Form form={form} submitText={t.saveComponent} command>
        {component ? null : (
          <SelectField
            label={t.source}
            choices={COMPONENT_SOURCES.filter((one) => one !== 'location' || first !== '').map(
              (value) => ({ value, label: t.sourceOf({ source: value }) }),
            )}
            {...form.field('source')}
          />
        )}
        {component || source !== 'location' ? null : (
          <SelectField
            label={t.location}
            description={t.locationHelp}
            choices={locations.map((value) => ({ value, label: value }))}
            {...form.field('location')}
          />
        )}
        <TextField
          label={t.name}
          description={t.namePublic}
          autoComplete="off"
          {...form.field('name')}
        />
        <TextField
          label={t.description}
          width="fill"
          autoComplete="off"
          {...form.field('description')}
        />
        {component && source === 'manual' ? (
          <SelectField
            label={t.health}
            choices={HEALTHS.map((value) => ({ value, label: t.healthOf({ state: value }) }))}
            {...form.field('health')}
          />
        ) : null}
        <SwitchField label={t.shown} {...form.field('shown')} />
      </Form>
    </Dialog>
  )
}
