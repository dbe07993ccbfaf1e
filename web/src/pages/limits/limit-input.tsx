import { isCapabilityKey, isListKey, type LimitKey } from '@lodge/shared/limits/keys.ts'
import { useQuery } from '@tanstack/react-query'
import Undo from 'lucide-react/icons/undo-2'
import { qAll } from '../../query.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import { ManyField } from '../../ui/choices/many-field.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import type { Choice } from '../../ui/fields/field-props.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { NOTHING, normalLimit } from './limit-draft.ts'
import { capitalised, limitName } from './limit-words.ts'
import styles from './limits.module.css'
import { t } from './words.ts'

interface LimitInputProps {
  id: string | undefined
  limitKey: LimitKey
  value: string
  /** What applies while this is not set, if known. */
  inherited: string | undefined
  error: string | undefined
  disabled: boolean
  onChange: (value: string) => void
}

const unset = (inherited: string | undefined): Choice => ({
  value: 'unset',
  label: inherited === undefined ? t.notSet : t.inherits({ inherited }),
})
const yesNo = (): readonly Choice[] => [
  { value: 'yes', label: t.yes },
  { value: 'no', label: t.no },
]
const ways = (): readonly Choice[] => [
  { value: 'unlimited', label: t.all },
  { value: 'some', label: t.onlyThese },
]

/** The control of one limit in one layer, with the way back to not set: the layer below decides. */
export function LimitInput(props: LimitInputProps) {
  const { limitKey, value, disabled, onChange } = props
  return (
    <div className={styles.input}>
      <Control {...props} />
      {value === '' || disabled ? null : (
        <IconButton
          size="small"
          label={t.reset({ limit: limitName(limitKey) })}
          onClick={() => onChange('')}
        >
          <Undo aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

function Control(props: LimitInputProps) {
  const { id, limitKey, value, inherited, onChange, error, disabled } = props
  const named = id === undefined ? {} : { id }
  const label = t.setHere({ limit: limitName(limitKey) })
  if (isListKey(limitKey)) return <ListInput {...props} label={label} />
  if (isCapabilityKey(limitKey)) {
    return (
      <SelectField
        {...named}
        label={label}
        bare
        disabled={disabled}
        value={value === '' ? 'unset' : value}
        choices={[unset(inherited), ...yesNo()]}
        onChange={(next) => onChange(next === 'unset' ? '' : next)}
      />
    )
  }
  const normal = normalLimit(limitKey, value)
  return (
    <TextField
      {...named}
      label={label}
      bare
      placeholder={inherited === undefined ? t.notSet : capitalised(inherited)}
      autoComplete="off"
      disabled={disabled}
      value={value}
      error={error}
      meaning={normal.trim() === value.trim() ? undefined : `= ${normal}`}
      onChange={onChange}
      onBlur={() => {
        if (normal !== value) onChange(normal)
      }}
    />
  )
}

function ListInput({
  id,
  limitKey,
  value,
  inherited,
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
        choices={[unset(inherited), ...ways()]}
        onChange={(next) => onChange(next === 'unset' ? '' : next === 'some' ? NOTHING : next)}
      />
      {how === 'some' ? (
        <Names
          of={limitKey === 'allowedTemplates' ? 'templates' : 'locations'}
          label={limitName(limitKey)}
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
    ...qAll('GET /api/templates'),
    enabled: of === 'templates',
  })
  const nodes = useQuery({
    ...qAll('GET /api/nodes'),
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
      placeholder={of === 'templates' ? t.chooseTemplates : t.chooseLocations}
      onChange={onChange}
    />
  )
}
