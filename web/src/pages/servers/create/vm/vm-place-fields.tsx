import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Button } from '../../../../ui/buttons/button.tsx'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { NumberField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import type { FormState } from '../../../../ui/form/form.tsx'
import { NetworkForm } from '../../../virtualization/network-form.tsx'
import { type Node, nodesWith, placedOn } from '../container/values.ts'
import { StorageField } from '../storage-field.tsx'
import { t } from '../words.ts'
import type { Catalogue, VmValues } from './vm-values.ts'

interface VmPlaceFieldsProps {
  form: FormState<VmValues>
  nodes: readonly Node[]
  networks: Catalogue['networks']
}

/** The machine's node, network and primary port. */
export function VmPlaceFields({ form, nodes, networks }: VmPlaceFieldsProps) {
  const { values, errors } = form
  const [adding, setAdding] = useState(false)
  const fit = nodes.filter(({ virtualization }) => virtualization.enabled)
  const locations = [...new Set(fit.map(({ location }) => location))]
  const within = nodesWith(values.storageId, fit).filter(
    ({ location }) => values.location === '' || location === values.location,
  )
  const offered = networks.filter(({ enabled }) => enabled)
  return (
    <FieldGrid>
      <SelectField
        label={t.location}
        placeholder={t.anywhere}
        choices={locations.map((value) => ({ value, label: value }))}
        {...form.field('location')}
        onChange={(location) => form.setValues((old) => ({ ...old, location, nodeId: '' }))}
      />
      <SelectField
        label={t.node}
        placeholder={t.chosenForYou}
        choices={within.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('nodeId')}
      />
      <SelectField
        label={t.network}
        placeholder={t.anyNetwork}
        choices={offered.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('networkId')}
        error={errors.networkId ?? errors['vm/networkId']}
      />
      <div>
        <Button size="small" icon={<Plus />} onClick={() => setAdding(true)}>
          {t.addNetwork}
        </Button>
        <Dialog title={t.addNetwork} opened={adding} onClose={() => setAdding(false)}>
          <NetworkForm
            onDone={(networkId) => {
              form.set('networkId', networkId)
              setAdding(false)
            }}
          />
        </Dialog>
      </div>
      <NumberField
        label={t.guestPort}
        description={t.guestPortText}
        {...form.field('guestPort')}
        error={errors.guestPort ?? errors['vm/guestPort']}
      />
      <StorageField
        label={t.disks}
        nodes={fit}
        {...form.field('storageId')}
        onChange={(storageId) =>
          form.setValues((old) => ({ ...old, ...placedOn(storageId, old, fit) }))
        }
      />
    </FieldGrid>
  )
}
