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

const COLUMNS: readonly Column<Profile>[] = [
  {
    header: 'Profile',
    role: 'title',
    cell: ({ name, description, builtIn }) => (
      <Stack gap={0}>
        <Row gap={6}>
          <Text strong>{name}</Text>
          {builtIn ? <Pill tone="idle">Built in</Pill> : null}
        </Row>
        <Text small muted>
          {description}
        </Text>
      </Stack>
    ),
  },
  { header: 'Firmware', cell: ({ hardware }) => firmwareWords(hardware.firmware) },
  { header: 'TPM', cell: ({ hardware }) => (hardware.tpm ? 'Yes' : 'No') },
  {
    header: 'Devices',
    secondary: true,
    cell: ({ hardware: { diskBus, nicModel, video } }) => (
      <Stack gap={0}>
        <Text small>Disks {diskBus}</Text>
        <Text small>Network {nicModel}</Text>
        <Text small>Graphics {video}</Text>
      </Stack>
    ),
  },
  { header: 'Processor', secondary: true, cell: ({ hardware }) => hardware.cpuModel },
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
      Create profile
    </Button>
  )
  return (
    <Card title="Hardware profiles" flush actions={add}>
      <Table
        label="Hardware profiles"
        rows={profiles}
        columns={[
          ...COLUMNS,
          {
            header: 'New machines',
            tight: true,
            cell: (row) => <EnabledSwitch what="profiles" row={row} missing={missing} />,
          },
          {
            header: 'Self-service',
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
                disabledBecause={
                  missing ??
                  (row.builtIn ? 'Built-in profiles stay: take it out of the offer' : undefined)
                }
              />
            ),
          },
        ]}
        keyOf={({ id }) => id}
        empty={<Empty title="There is no hardware profile" />}
      />
      <Dialog title="Create profile" opened={adding} onClose={() => setAdding(false)} wide>
        <ProfileForm profiles={profiles} onDone={() => setAdding(false)} />
      </Dialog>
    </Card>
  )
}
