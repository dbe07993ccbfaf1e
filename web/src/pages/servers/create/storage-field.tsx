import { SelectField } from '../../../ui/choices/select-field.tsx'
import type { FieldProps } from '../../../ui/fields/field-props.ts'
import { type Node, storagesOf } from './container/values.ts'
import { t } from './words.ts'

const OWN_DISK = 'disk'

/** Its value is the storage; empty for the disk of the node. */
interface StorageFieldProps extends Omit<FieldProps<string>, 'description'> {
  nodes: readonly Node[]
}

/** Where the data of a new server lie: on the disk of its node, or on a shared storage of some nodes. */
export function StorageField({ nodes, value, onChange, ...field }: StorageFieldProps) {
  const storages = storagesOf(nodes)
  if (storages.length === 0) return null
  return (
    <SelectField
      {...field}
      description={t.filesText}
      value={value === '' ? OWN_DISK : value}
      onChange={(chosen) => onChange(chosen === OWN_DISK ? '' : chosen)}
      choices={[
        { value: OWN_DISK, label: t.diskOfNode },
        ...storages.map(({ id, name }) => ({ value: id, label: t.storageOf({ storage: name }) })),
      ]}
    />
  )
}
