import { isCapabilityKey, isListKey, type LimitKey } from '@lodge/shared/limits/keys.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { ManyField } from '../../ui/choices/many-field.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import type { Choice } from '../../ui/fields/field-props.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { NOTHING } from './limit-draft.ts'
import { LIMIT_NAMES } from './limit-words.ts'

interface LimitInputProps {
  id: string | undefined
  limitKey: LimitKey
  value: string
  error: string | undefined
  disabled: boolean
  onChange: (value: string) => void
}

const YES_NO: readonly Choice[] = [
  { value: 'unset', label: 'Not set' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]
const HOW: readonly Choice[] = [
  { value: 'unset', label: 'Not set' },
  { value: 'unlimited', label: 'All' },
  { value: 'some', label: 'Only these' },
]

/** The control of one limit in one layer; empty means that the layer below decides. */
export function LimitInput(props: LimitInputProps) {
  const { id, limitKey, value, onChange, error, disabled } = props
  const named = id === undefined ? {} : { id }
  const label = `${LIMIT_NAMES[limitKey]}, set here`
  if (isListKey(limitKey)) return <ListInput {...props} label={label} />
  if (isCapabilityKey(limitKey)) {
    return (
      <SelectField
        {...named}
        label={label}
        bare
        disabled={disabled}
        value={value === '' ? 'unset' : value}
        choices={YES_NO}
        onChange={(next) => onChange(next === 'unset' ? '' : next)}
      />
    )
  }
  return (
    <TextField
      {...named}
      label={label}
      bare
      placeholder="Not set"
      autoComplete="off"
      disabled={disabled}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}

function ListInput({
  id,
  limitKey,
  value,
  onChange,
  disabled,
  label,
}: LimitInputProps & { label: string }) {
  const how = value === '' ? 'unset' : value === 'unlimited' ? 'unlimited' : 'some'
  return (
    <Column gap={6}>
      <SelectField
        {...(id === undefined ? {} : { id })}
        label={label}
        bare
        disabled={disabled}
        value={how}
        choices={HOW}
        onChange={(next) => onChange(next === 'unset' ? '' : next === 'some' ? NOTHING : next)}
      />
      {how === 'some' ? (
        <Names
          of={limitKey === 'allowedTemplates' ? 'templates' : 'locations'}
          label={LIMIT_NAMES[limitKey]}
          chosen={value.split('\n').filter((name) => name !== '')}
          onChange={(names) => onChange(names.length === 0 ? NOTHING : names.join('\n'))}
        />
      ) : null}
    </Column>
  )
}

function Names({
  of,
  label,
  chosen,
  onChange,
}: {
  of: 'templates' | 'locations'
  label: string
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const templates = useQuery({
    ...q('GET /api/templates', { query: { limit: 100 } }),
    enabled: of === 'templates',
  })
  const nodes = useQuery({
    ...q('GET /api/nodes', { query: { limit: 100 } }),
    enabled: of === 'locations',
  })
  const choices: readonly Choice[] =
    of === 'templates'
      ? (templates.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
      : [...new Set((nodes.data?.items ?? []).map((node) => node.location))].map((name) => ({
          value: name,
          label: name,
        }))
  return (
    <ManyField
      label={label}
      bare
      choices={choices}
      value={chosen}
      placeholder={`Choose ${of}`}
      onChange={onChange}
    />
  )
}
