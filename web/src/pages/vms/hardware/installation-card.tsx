import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { q, useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { Form, NOTHING_CHANGED, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { DangerRow } from '../../servers/one/danger-row.tsx'
import { useServer } from '../../servers/one/use-server.ts'
import { useVmChanged, useWhyNotChange, type Vm } from '../use-vm.ts'

type Device = Vm['bootOrder'][number]

const EMPTY = 'empty'
const ORDERS: readonly { value: string; label: string; order: readonly Device[] }[] = [
  { value: 'disk', label: 'Disk, then medium', order: ['disk', 'cdrom'] },
  { value: 'cdrom', label: 'Medium, then disk', order: ['cdrom', 'disk'] },
  { value: 'network', label: 'Network, then disk', order: ['network', 'disk'] },
]

/** The medium in the drive, the boot order and the reinstallation. */
export function InstallationCard({ vm }: { vm: Vm }) {
  const server = useServer()
  const changed = useVmChanged()
  const whyNotChange = useWhyNotChange(vm)
  const install = 'POST /api/servers/{id}/vm/installation'
  const whyNotInsert = whyNotChange(install, 'vm.media', 'media')
  const whyNotEject = whyNotChange(install, 'vm.media')
  const whyNotReinstall = whyNotChange(install, 'vm.media', 'installer')
  const catalogue = useQuery(q('GET /api/virtualization/catalogue'))
  const media = (catalogue.data?.media ?? []).filter(
    ({ kind, enabled, state }) => kind === 'iso' && enabled && state === 'ready',
  )
  const known = vm.medium && !media.some(({ id }) => id === vm.medium?.id) ? [vm.medium] : []
  const initial = { medium: vm.medium?.id ?? EMPTY, first: vm.bootOrder[0] ?? 'disk' }
  const form = useForm<{ medium: string; first: string }, unknown>({
    initial,
    submit: ({ medium, first }) =>
      api('POST /api/servers/{id}/vm/installation', {
        params: { id: server.id },
        body: {
          reinstall: false,
          mediumId: medium === EMPTY ? null : medium,
          bootOrder: [...(ORDERS.find(({ value }) => value === first)?.order ?? ['disk'])],
        },
      }),
    done: () => {
      changed()
      toastDone('The drive is changed', 'The guest sees it at its next start.')
    },
  })
  const same = form.values.medium === initial.medium && form.values.first === initial.first
  return (
    <Card title="Installation">
      <Column gap={20}>
        <Form
          form={form}
          submitText="Save drive"
          disabledBecause={
            (form.values.medium === EMPTY ? whyNotEject : whyNotInsert) ??
            (same ? NOTHING_CHANGED : undefined)
          }
        >
          <SelectField
            label="Medium in the drive"
            choices={[
              { value: EMPTY, label: 'None' },
              ...[...known, ...media].map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...form.field('medium')}
            error={form.errors.medium ?? form.errors.mediumId}
          />
          <SelectField label="Starts from" choices={ORDERS} {...form.field('first')} />
        </Form>
        <Reinstall vm={vm} whyNot={whyNotReinstall} />
      </Column>
    </Card>
  )
}

function Reinstall({ vm, whyNot }: { vm: Vm; whyNot: string | undefined }) {
  const server = useServer()
  const changed = useVmChanged()
  const [asked, setAsked] = useState(false)
  const act = useAct('POST /api/servers/{id}/vm/installation')
  const run = async (): Promise<void> => {
    await act.mutateAsync({
      params: { id: server.id },
      body: { reinstall: true, confirm: true },
    })
    changed()
  }
  return (
    <DangerRow
      title="Install again"
      text={
        vm.image
          ? `Makes the system disk anew from ${vm.image.name}.`
          : 'Makes the system disk empty, for the medium in the drive.'
      }
    >
      <Button kind="danger" disabledBecause={whyNot} onClick={() => setAsked(true)}>
        Reinstall
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={`Reinstall ${server.name}`}
        verb="Reinstall machine"
        typed={server.name}
        onConfirm={run}
      >
        Everything on the system disk is lost, and so are the firmware variables and the TPM with
        the keys in it. Other disks and snapshots stay.
      </ConfirmDialog>
    </DangerRow>
  )
}
