import type { PluginDetail, SavePluginSettings } from '@lodge/shared/plugins/plugin.ts'
import type { SettingProperty } from '@lodge/shared/plugins/settings.ts'
import { api, type Reply } from '../../api.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import type { BoundField } from '../../ui/fields/field-props.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { useSaved } from '../../ui/form/use-saved.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { t } from './words.ts'

type Values = Record<string, string | boolean>

interface SettingsFormProps {
  plugin: PluginDetail
  missing: string | undefined
}

const initialOf = ({ form, settings }: PluginDetail): Values =>
  Object.fromEntries(
    Object.entries(form.properties).map(([name, { type }]) => {
      const value = settings[name]
      return [name, type === 'boolean' ? value === true : value === undefined ? '' : String(value)]
    }),
  )

/** What is sent for a field: nothing for an unchanged secret, null for a cleared one. */
function sentFor(property: SettingProperty, value: string | boolean | undefined) {
  if (typeof value === 'boolean' || value === undefined) return value
  if (property.type === 'string' && property.secret && value === '') return undefined
  if (value === '') return null
  return property.type === 'integer' ? Number(value) : value
}

/** The settings of a plugin, as its form describes them. */
export function SettingsForm({ plugin, missing }: SettingsFormProps) {
  const { id, form: description, settings: saved, secretsSet } = plugin
  const initial = initialOf(plugin)
  const form = useForm<Values, Reply<'PUT /api/plugins/{plugin}/settings'>>({
    initial,
    submit: async (values) => {
      const settings: SavePluginSettings['settings'] = Object.fromEntries(
        Object.entries(description.properties).flatMap(([name, property]) => {
          // What is left out stays as it is, or as a colleague saved it meanwhile. A switch without a
          // value is shown as off.
          const isGiven =
            form.changed.includes(name) ||
            (property.type === 'boolean' && saved[name] === undefined)
          const value = isGiven ? sentFor(property, values[name]) : undefined
          return value === undefined ? [] : [[name, value]]
        }),
      )
      return api('PUT /api/plugins/{plugin}/settings', {
        params: { plugin: id },
        body: { settings },
      })
    },
    nameOf: (pointer) => pointer.replace(/^settings\//, ''),
    refreshes: ['GET /api/plugins', 'GET /api/plugins/{plugin}'],
    done: () => toastDone(t.saved),
  })
  useSaved(form, initial, { saved, secretsSet })
  const labels = form.changed.map((name) => description.properties[name]?.title ?? name)
  return (
    <>
      <Form form={form} command submitText={t.saveSettings} disabledBecause={missing}>
        {Object.entries(description.properties).map(([name, property]) => (
          <Field
            key={name}
            property={property}
            isRequired={description.required?.includes(name) ?? false}
            isSet={secretsSet.includes(name)}
            bound={form.field(name)}
          />
        ))}
      </Form>
      <UnsavedGuard changes={labels} isSaving={() => form.busy} />
    </>
  )
}

interface FieldProps {
  property: SettingProperty
  isRequired: boolean
  /** For a secret: whether it has a value. */
  isSet: boolean
  bound: BoundField<string | boolean>
}

function Field({ property, isRequired, isSet, bound }: FieldProps) {
  const description =
    [property.description, isRequired ? t.required : undefined].filter(Boolean).join(' ') ||
    undefined
  const about = { label: property.title, description, error: bound.error }
  if (property.type === 'boolean')
    return <SwitchField {...about} value={bound.value === true} onChange={bound.onChange} />
  const text = { ...about, value: String(bound.value), onChange: bound.onChange }
  if (property.type === 'integer') return <TextField {...text} type="number" width="number" />
  if (property.enum)
    return (
      <SelectField
        {...text}
        choices={property.enum.map((value) => ({ value, label: value }))}
        placeholder={t.notSet}
      />
    )
  if (property.secret)
    return (
      <PasswordField
        {...text}
        description={isSet ? [description, t.secretSet].filter(Boolean).join(' ') : description}
        autoComplete="off"
      />
    )
  if (property.format === 'multiline') return <AreaField {...text} />
  return <TextField {...text} />
}
