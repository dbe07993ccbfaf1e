import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { why } from '../../../../panel/said.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Pill } from '../../../../ui/data/status.tsx'
import { type Column, Table } from '../../../../ui/data/table.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Empty } from '../../../../ui/notices/states.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../../../ui/page/layout.tsx'
import { OWN_DISK } from '../../create/container/values.ts'
import { t } from './words.ts'

interface Target {
  readonly nodeId: string
  readonly nodeName: string
  readonly location: string
  readonly possible: boolean
  readonly why?: string | null
  readonly storages: readonly Place[]
}

/** Where else the files of a server could lie on a node; the disk of the node has no id. */
interface Place {
  readonly id: string | null
  readonly name: string | null
  readonly why: string | null
}

/** Where its files may lie there, as now unless that is not possible. */
const KEEPS = 'as-now'

/** The choice of where the files of a server lie on its next node, for whoever may choose that. */
export function usePlaceChoice({ possible, storages }: Pick<Target, 'possible' | 'storages'>) {
  const fitting = storages.filter((place) => place.why === null)
  const keyOf = ({ id }: Place) => id ?? OWN_DISK
  const [value, onChange] = useState(possible || !fitting[0] ? KEEPS : keyOf(fitting[0]))
  const choices = [
    ...(possible ? [{ value: KEEPS, label: t.asNow }] : []),
    ...fitting.map((place) => ({
      value: keyOf(place),
      label: place.name === null ? t.diskOfNode : t.storageOf({ storage: place.name }),
    })),
  ]
  const isChanged = value !== KEEPS
  return {
    isChanged,
    body: isChanged ? { storageId: value === OWN_DISK ? null : value } : {},
    field: fitting.length === 0 ? null : { value, onChange, choices },
  }
}

const canTake = ({ possible, storages }: Target): boolean =>
  possible || storages.some((place) => place.why === null)

const columns = (): readonly Column<Target>[] => [
  { header: t.node, role: 'title', cell: ({ nodeName }) => <Text strong>{nodeName}</Text> },
  { header: t.location, cell: ({ location }) => location },
  {
    header: t.fits,
    cell: (target) =>
      target.possible ? (
        <Pill tone="ok">{t.yes}</Pill>
      ) : canTake(target) ? (
        <Stack gap={2}>
          <span>
            <Pill tone="ok">{t.yes}</Pill>
          </span>
          <Text small muted>
            {t.onlyElsewhere}
          </Text>
        </Stack>
      ) : (
        <Stack gap={2}>
          <span>
            <Pill tone="idle">{t.no}</Pill>
          </span>
          <Text small muted>
            {why(target.why)}
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
        disabledBecause={canTake(row) ? props.whyNot : (why(row.why) ?? props.doesNotFit)}
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
