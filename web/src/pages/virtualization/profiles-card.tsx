import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { firmwareWords } from '../vms/hardware/hardware-words.ts'
import { DeleteButton } from './delete-button.tsx'
import { EnabledSwitch, ReleaseSwitch } from './enabled-switch.tsx'
import type { Profile } from './profile.ts'
import { ProfileForm } from './profile-form.tsx'
import { t } from './words.ts'

const columns = (): readonly Column<Profile>[] => [
  {
    header: t.profile,
    role: 'title',
    cell: ({ name, description, builtIn }) => (
      <Stack gap={0}>
        <Row gap={6}>
          <Text strong>{name}</Text>
          {builtIn ? <Pill tone="idle">{t.builtIn}</Pill> : null}
        </Row>
        <Text small muted>
          {description}
        </Text>
      </Stack>
    ),
  },
  { header: t.firmware, cell: ({ hardware }) => firmwareWords(hardware.firmware) },
  { header: t.tpm, cell: ({ hardware }) => (hardware.tpm ? t.yes : t.no) },
  {
    header: t.devices,
    secondary: true,
    cell: ({ hardware: { diskBus, nicModel, video } }) => (
      <Stack gap={0}>
        <Text small>{t.disksAt({ bus: diskBus })}</Text>
        <Text small>{t.networkModel({ model: nicModel })}</Text>
        <Text small>{t.graphicsModel({ model: video })}</Text>
      </Stack>
    ),
  },
  { header: t.processor, secondary: true, cell: ({ hardware }) => hardware.cpuModel },
]

/** The hardware profiles; a profile never changes. */
export function ProfilesCard({
  profiles,
  missing,
}: {
  profiles: readonly Profile[]
  missing: string | undefined
}) {
  const [adding, setAdding] = useState(false)
  const add = (
    <Button size="small" icon={<Plus />} disabledBecause={missing} onClick={() => setAdding(true)}>
      {t.createProfile}
    </Button>
  )
  return (
    <Card title={t.profiles} flush actions={add}>
      <Table
        label={t.profiles}
        rows={profiles}
        columns={[
          ...columns(),
          {
            header: t.newMachines,
            tight: true,
            cell: (row) => <EnabledSwitch what="profiles" row={row} missing={missing} />,
          },
          {
            header: t.selfService,
            tight: true,
            cell: (row) => <ReleaseSwitch what="profiles" row={row} missing={missing} />,
          },
          {
            header: '',
            tight: true,
            cell: (row) => (
              <DeleteButton
                what="profiles"
                row={row}
                disabledBecause={missing ?? (row.builtIn ? t.builtInStays : undefined)}
              />
            ),
          },
        ]}
        keyOf={({ id }) => id}
        empty={<Empty title={t.noProfile} />}
      />
      <Dialog title={t.createProfile} opened={adding} onClose={() => setAdding(false)} wide>
        <ProfileForm profiles={profiles} onDone={() => setAdding(false)} />
      </Dialog>
    </Card>
  )
}
