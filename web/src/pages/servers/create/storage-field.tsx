import { SelectField } from '../../../ui/choices/select-field.tsx'
import type { FieldProps } from '../../../ui/fields/field-props.ts'
import { hasDefault, type Node, OWN_DISK, storagesOf } from './container/values.ts'
import { t } from './words.ts'

const AS_NODE = 'node'

/**
 * Its value is the id of a storage, or `OWN_DISK` where nodes have a default; empty for the node's
 * default.
 */
interface StorageFieldProps extends Omit<FieldProps<string>, 'description'> {
  nodes: readonly Node[]
}

/** Where the data of a new server lie: on the disk of its node, or on a shared storage of some nodes. */
export function StorageField({ nodes, value, onChange, ...field }: StorageFieldProps) {
  const storages = storagesOf(nodes)
  if (storages.length === 0) return null
  const follows = hasDefault(nodes)
  const unchosen = follows ? AS_NODE : OWN_DISK
  return (
    <SelectField
      {...field}
      description={t.filesText}
      value={value === '' ? unchosen : value}
      onChange={(chosen) => onChange(chosen === unchosen ? '' : chosen)}
      choices={[
        ...(follows ? [{ value: AS_NODE, label: t.asNode }] : []),
        { value: OWN_DISK, label: t.diskOfNode },
        ...storages.map(({ id, name }) => ({ value: id, label: t.storageOf({ storage: name }) })),
      ]}
    />
  )
}
