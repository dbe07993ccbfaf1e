import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { q, useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { useForm } from '../../../ui/form/form.tsx'
import { useSavePart } from '../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../ui/form/use-saved.ts'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { DangerRow } from '../../servers/one/danger-row.tsx'
import { useServer } from '../../servers/one/use-server.ts'
import { useVmChanged, useWhyNotChange, type Vm } from '../use-vm.ts'
import { t } from '../words.ts'

type Device = Vm['bootOrder'][number]

const EMPTY = 'empty'
const orders = (): readonly { value: string; label: string; order: readonly Device[] }[] => [
  { value: 'disk', label: t.diskFirst, order: ['disk', 'cdrom'] },
  { value: 'cdrom', label: t.mediumFirst, order: ['cdrom', 'disk'] },
  { value: 'network', label: t.networkFirst, order: ['network', 'disk'] },
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
  const saved = { medium: vm.medium?.id ?? EMPTY, first: vm.bootOrder[0] ?? 'disk' }
  const form = useForm<{ medium: string; first: string }, unknown>({
    initial: saved,
    submit: ({ medium, first }) =>
      api('POST /api/servers/{id}/vm/installation', {
        params: { id: server.id },
        body: {
          reinstall: false,
          mediumId: medium === EMPTY ? null : medium,
          bootOrder: [...(orders().find(({ value }) => value === first)?.order ?? ['disk'])],
        },
      }),
    done: () => {
      changed()
      toastDone(t.driveChanged, t.nextStart)
    },
  })
  useSaved(form, saved)
  useSavePart(form, {
    labelOf: (name) => ({ medium: t.medium, first: t.bootOrder })[name],
    blocked: form.values.medium === EMPTY ? whyNotEject : whyNotInsert,
  })
  return (
    <Card title={t.installation}>
      <Column gap={20}>
        <SelectField
          label={t.medium}
          choices={[
            { value: EMPTY, label: t.noGraphics },
            ...[...known, ...media].map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.field('medium')}
          error={form.errors.medium ?? form.errors.mediumId}
        />
        <SelectField label={t.bootOrder} choices={orders()} {...form.field('first')} />
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
      title={t.reinstall}
      text={vm.image ? t.reinstallImage({ image: vm.image.name }) : t.reinstallEmpty}
    >
      <Button kind="danger" disabledBecause={whyNot} onClick={() => setAsked(true)}>
        {t.reinstallButton}
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={t.reinstallTitle({ server: server.name })}
        verb={t.reinstall}
        typed={server.name}
        onConfirm={run}
      >
        {t.reinstallText}
      </ConfirmDialog>
    </DangerRow>
  )
}
