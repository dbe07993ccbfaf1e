import { useQuery } from '@tanstack/react-query'
import type { Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'

type Variable = Reply<'GET /api/settings/origins'>['variables'][number]

const shownValue = ({ value, isGiven }: Variable) =>
  value !== null ? <code>{value}</code> : isGiven ? 'Set, and secret' : '–'

const COLUMNS: readonly Column<Variable>[] = [
  { header: 'Variable', role: 'title', cell: ({ name }) => <code>{name}</code> },
  { header: 'Value', cell: shownValue },
  { header: 'From', cell: ({ isGiven }) => (isGiven ? 'Environment' : <Text muted>Default</Text>) },
]

/** What was given stands first: it is what differs. */
const givenFirst = (variables: readonly Variable[]): readonly Variable[] =>
  variables.toSorted((one, other) => Number(other.isGiven) - Number(one.isGiven))

/** The control plane's environment, read-only: it is changed where the control plane is started. */
export default function EnvironmentTab() {
  const origins = useQuery(q('GET /api/settings/origins'))
  return (
    <Loaded query={origins} lines={12}>
      {({ variables }) => (
        <>
          <Text muted>
            What the control plane was started with. Change it where you start the control plane; it
            applies from the next start.
          </Text>
          <Card title="Environment" flush>
            <Table
              label="Environment"
              rows={givenFirst(variables)}
              columns={COLUMNS}
              keyOf={({ name }) => name}
              empty={null}
            />
          </Card>
        </>
      )}
    </Loaded>
  )
}
