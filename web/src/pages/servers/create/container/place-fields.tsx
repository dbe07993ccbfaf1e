import { formatMib } from '@lodge/shared/units.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { Tiles } from '../../../../ui/choices/tiles.tsx'
import { NumberField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import type { FormState } from '../../../../ui/form/form.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { fits, freeMemoryMb, type Node, type Values } from './values.ts'

const ANYWHERE = 'anywhere'

/** Location cards, with an optional choice of node and port. */
export function PlaceFields({ form, nodes }: { form: FormState<Values>; nodes: readonly Node[] }) {
  const { values } = form
  const locations = [...new Set(nodes.map((node) => node.location))]
  const within = nodes.filter((node) => values.location === '' || node.location === values.location)
  const describe = (location: string): string => {
    const here = nodes.filter((node) => node.location === location)
    const online = here.filter((node) => node.state === 'online')
    if (online.length === 0) return 'no node takes servers now'
    const most = Math.max(...online.map(freeMemoryMb))
    return `${online.length} of ${here.length} nodes, up to ${formatMib(Math.max(0, most))} free`
  }
  return (
    <Column>
      <Tiles
        legend="Location"
        items={[ANYWHERE, ...locations]}
        keyOf={(location) => location}
        chosen={values.location === '' ? ANYWHERE : values.location}
        onChoose={(location) =>
          form.setValues((old) => ({
            ...old,
            location: location === ANYWHERE ? '' : location,
            nodeId: '',
          }))
        }
      >
        {(location) => (
          <>
            <b>{location === ANYWHERE ? 'Anywhere' : location}</b>
            <small>
              {location === ANYWHERE ? 'The node with the most free memory' : describe(location)}
            </small>
          </>
        )}
      </Tiles>
      <FieldGrid>
        <SelectField
          label="Node"
          {...form.field('nodeId')}
          placeholder="Chosen by Lodge"
          choices={[
            ...within.map((node) => ({
              value: node.id,
              label: `${node.name} (${fits(node, values) ? `${formatMib(freeMemoryMb(node))} free` : 'no room'})`,
            })),
          ]}
        />
        <NumberField label="Port" placeholder="Chosen by Lodge" {...form.field('port')} />
      </FieldGrid>
    </Column>
  )
}
