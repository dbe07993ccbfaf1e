import { type Column, Table } from '../../ui/data/table.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { t } from './words.ts'

type Variable = ShownTemplate['variables'][number]

const columns = (): readonly Column<Variable>[] => [
  {
    header: t.setting,
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
  { header: t.variable, cell: ({ env }) => <Text mono>{env}</Text> },
  {
    header: t.default,
    cell: ({ default: usual, secret }) =>
      secret ? (
        <Text muted>{t.secret}</Text>
      ) : usual === '' ? (
        <Text muted>{t.empty}</Text>
      ) : (
        <Text mono>{usual}</Text>
      ),
  },
  {
    header: t.customers,
    cell: ({ editable }) => (editable ? t.mayChange : t.mayNotChange),
  },
]

/** The variables that can be set on the servers of a template. */
export const VariablesCard = ({ template }: { template: ShownTemplate }) => (
  <Card title={t.settings} flush>
    <Table
      label={t.settings}
      rows={template.variables}
      columns={columns()}
      keyOf={({ env }) => env}
      empty={<Text muted>{t.noSettings}</Text>}
    />
  </Card>
)
