import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { Tiles } from '../../../../ui/choices/tiles.tsx'
import { formatMib } from '../../../../ui/data/numbers.ts'
import { NumberField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import type { FormState } from '../../../../ui/form/form.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { StorageField } from '../storage-field.tsx'
import { t } from '../words.ts'
import { fits, freeMemoryMb, type Node, nodesWith, placedOn, type Values } from './values.ts'

const ANYWHERE = 'anywhere'

/** Location cards, with an optional choice of node and port. */
export function PlaceFields({ form, nodes }: { form: FormState<Values>; nodes: readonly Node[] }) {
  const { values } = form
  const able = nodesWith(values.storageId, nodes)
  const locations = [...new Set(nodes.map((node) => node.location))]
  const within = able.filter((node) => values.location === '' || node.location === values.location)
  const describe = (location: string): string => {
    const here = nodes.filter((node) => node.location === location)
    const online = here.filter((node) => node.state === 'online')
    if (online.length === 0) return t.noNodeHere
    const most = Math.max(...online.map(freeMemoryMb))
    return t.nodesHere({
      online: online.length,
      count: here.length,
      free: formatMib(Math.max(0, most)),
    })
  }
  return (
    <Column>
      <Tiles
        legend={t.location}
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
            <b>{location === ANYWHERE ? t.anywhere : location}</b>
            <small>{location === ANYWHERE ? t.anywhereText : describe(location)}</small>
          </>
        )}
      </Tiles>
      <FieldGrid>
        <SelectField
          label={t.node}
          {...form.field('nodeId')}
          placeholder={t.chosenForYou}
          choices={[
            ...within.map((node) => ({
              value: node.id,
              label: fits(node, values)
                ? t.nodeFree({ node: node.name, free: formatMib(freeMemoryMb(node)) })
                : t.nodeFull({ node: node.name }),
            })),
          ]}
        />
        <StorageField
          label={t.files}
          nodes={nodes}
          {...form.field('storageId')}
          onChange={(storageId) =>
            form.setValues((old) => ({ ...old, ...placedOn(storageId, old, nodes) }))
          }
        />
        <NumberField label={t.port} placeholder={t.chosenForYou} {...form.field('port')} />
      </FieldGrid>
    </Column>
  )
}
