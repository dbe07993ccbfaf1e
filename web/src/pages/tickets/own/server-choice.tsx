import { useQuery } from '@tanstack/react-query'
import { q } from '../../../query.ts'
import { given } from '../../../routes/search.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { t } from './words.ts'

const NONE = 'none'

interface ServerChoiceProps {
  /** Empty for none. */
  value: string
  needed: boolean
  /** The customer whose servers are offered; if empty, the caller's own and shared ones. */
  ownerId: string
  onChange: (value: string) => void
}

/** Chooses the server with the problem. */
export function ServerChoice({ value, needed, ownerId, onChange }: ServerChoiceProps) {
  const servers = useQuery(
    q('GET /api/servers', { query: given({ limit: 100, ownerId: ownerId || undefined }) }),
  )
  const items = servers.data?.items ?? []
  if (items.length === 0 && !needed) return null
  return (
    <SelectField
      label={t.server}
      description={needed ? t.serverNeeded : t.serverHelp}
      searchable
      value={value === '' && !needed ? NONE : value}
      choices={[
        ...(needed ? [] : [{ value: NONE, label: t.noServer }]),
        ...items.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(next) => onChange(next === NONE ? '' : next)}
    />
  )
}
