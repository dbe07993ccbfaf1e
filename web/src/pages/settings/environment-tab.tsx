import { useQuery } from '@tanstack/react-query'
import type { Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

type Variable = Reply<'GET /api/settings/origins'>['variables'][number]

const shownValue = ({ value, isGiven }: Variable) =>
  value !== null ? <code>{value}</code> : isGiven ? t.secretIsSet : '–'

const columns = (): readonly Column<Variable>[] => [
  { header: t.variable, role: 'title', cell: ({ name }) => <code>{name}</code> },
  { header: t.value, cell: shownValue },
  {
    header: t.origin,
    cell: ({ isGiven }) => (isGiven ? t.environment : <Text muted>{t.default}</Text>),
  },
]

/** Set variables first: they differ from the defaults. */
const givenFirst = (variables: readonly Variable[]): readonly Variable[] =>
  variables.toSorted((one, other) => Number(other.isGiven) - Number(one.isGiven))

/** The control plane's environment, read-only: it is changed where the control plane is started. */
export default function EnvironmentTab() {
  const origins = useQuery(q('GET /api/settings/origins'))
  return (
    <Loaded query={origins} lines={12}>
      {({ variables }) => (
        <>
          <Text muted>{t.environmentText}</Text>
          <Card title={t.environment} flush>
            <Table
              label={t.environment}
              rows={givenFirst(variables)}
              columns={columns()}
              keyOf={({ name }) => name}
              empty={null}
            />
          </Card>
        </>
      )}
    </Loaded>
  )
}
