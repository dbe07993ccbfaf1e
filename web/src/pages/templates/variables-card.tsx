import { type Column, Table } from '../../ui/data/table.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import type { ShownTemplate } from './shown-template.ts'

type Variable = ShownTemplate['variables'][number]

const COLUMNS: readonly Column<Variable>[] = [
  {
    header: 'Setting',
    role: 'title',
    cell: ({ name, description }) => (
      <div>
        {name}
        {description === '' ? null : (
          <div>
            <Text small muted>
              {description}
            </Text>
          </div>
        )}
      </div>
    ),
  },
  { header: 'Variable', cell: ({ env }) => <Text mono>{env}</Text> },
  {
    header: 'Default',
    cell: ({ default: usual, secret }) =>
      secret ? (
        <Text muted>Secret</Text>
      ) : usual === '' ? (
        <Text muted>Empty</Text>
      ) : (
        <Text mono>{usual}</Text>
      ),
  },
  {
    header: 'Customers',
    cell: ({ editable }) => (editable ? 'May change it' : 'May not change it'),
  },
]

/** What can be set on the servers of a template. */
export const VariablesCard = ({ template }: { template: ShownTemplate }) => (
  <Card title="Settings" flush>
    <Table
      label="Settings"
      rows={template.variables}
      columns={COLUMNS}
      keyOf={({ env }) => env}
      empty={<Text muted>Nothing can be set on the servers of this template.</Text>}
    />
  </Card>
)
