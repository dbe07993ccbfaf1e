import type { UseQueryResult } from '@tanstack/react-query'
import { why } from '../../../../panel/said.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Pill } from '../../../../ui/data/status.tsx'
import { type Column, Table } from '../../../../ui/data/table.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Empty } from '../../../../ui/notices/states.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../../../ui/page/layout.tsx'
import { t } from './words.ts'

interface Target {
  readonly nodeId: string
  readonly nodeName: string
  readonly location: string
  readonly possible: boolean
  readonly why?: string | null
}

const columns = (): readonly Column<Target>[] => [
  { header: t.node, role: 'title', cell: ({ nodeName }) => <Text strong>{nodeName}</Text> },
  { header: t.location, cell: ({ location }) => location },
  {
    header: t.fits,
    cell: ({ possible, why: reason }) =>
      possible ? (
        <Pill tone="ok">{t.yes}</Pill>
      ) : (
        <Stack gap={2}>
          <span>
            <Pill tone="idle">{t.no}</Pill>
          </span>
          <Text small muted>
            {why(reason)}
          </Text>
        </Stack>
      ),
  },
]

/**
 * The nodes to which a server can move, and why not to the others.
 * @param whyNot why the viewer cannot move it at all now
 */
export function MoveTargets<One extends Target>(props: {
  query: UseQueryResult<{ readonly items: readonly One[] }, Error>
  whyNot: string | undefined
  doesNotFit: string
  noOtherNodeText: string
  onChoose: (target: One) => void
}) {
  const move: Column<One> = {
    header: t.actions,
    role: 'acts',
    cell: (row) => (
      <Button
        size="small"
        disabledBecause={row.possible ? props.whyNot : (why(row.why) ?? props.doesNotFit)}
        onClick={() => props.onChoose(row)}
      >
        {t.moveHere}
      </Button>
    ),
  }
  return (
    <Card title={t.moveToOther} flush>
      <Loaded query={props.query}>
        {({ items }) => (
          <Table
            label={t.nodes}
            rows={items}
            columns={[...columns(), move]}
            keyOf={({ nodeId }) => nodeId}
            empty={
              <Empty title={t.noOtherNode} art="nodes">
                {props.noOtherNodeText}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Card>
  )
}
