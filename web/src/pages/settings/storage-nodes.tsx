import { useQuery } from '@tanstack/react-query'
import { qAll } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { ManyField } from '../../ui/choices/many-field.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import type { FieldProps } from '../../ui/fields/field-props.ts'
import { t } from './words.ts'

interface StorageNodesProps {
  first: FieldProps<string>
  second: FieldProps<string>
}

/** The nodes whose servers the host backs up. */
export function ProtectedNodes(field: FieldProps<readonly string[]>) {
  const { choices, missing } = useNodeChoices()
  return (
    <ManyField
      {...field}
      disabled={missing !== undefined}
      choices={choices}
      placeholder={t.allNodes}
    />
  )
}

function useNodeChoices() {
  const missing = useMissing()('nodes.view')
  const nodes = useQuery({ ...qAll('GET /api/nodes'), enabled: missing === undefined })
  const choices = (nodes.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return { choices, missing }
}

/** The node that stores the backups of the others, and one for its own servers. */
export function StorageNodes({ first, second }: StorageNodesProps) {
  const { choices, missing } = useNodeChoices()
  const shared = { searchable: true, disabled: missing !== undefined }
  return (
    <>
      <SelectField
        {...shared}
        {...first}
        description={missing === undefined ? first.description : t.seeNoNodes}
        choices={choices}
      />
      <SelectField
        {...shared}
        {...second}
        placeholder={t.noSecondNode}
        choices={[
          ...(second.value === '' ? [] : [{ value: '', label: t.noSecondNode }]),
          ...choices.filter(({ value }) => value !== first.value),
        ]}
      />
    </>
  )
}
