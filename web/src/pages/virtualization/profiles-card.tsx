import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { firmwareWords } from '../vms/hardware/hardware-words.ts'
import { DeleteButton } from './delete-button.tsx'
import { EnabledSwitch, ReleaseSwitch } from './enabled-switch.tsx'
import type { Profile } from './profile.ts'
import { ProfileForm } from './profile-form.tsx'
import styles from './virtualization.module.css'
import { t } from './words.ts'

type Hardware = Profile['hardware']

const firmwareOf = ({ firmware, tpm }: Hardware): string =>
  tpm ? t.withTpm({ firmware: firmwareWords(firmware) }) : firmwareWords(firmware)

const devicesOf = ({ diskBus, nicModel, video, cpuModel }: Hardware): string =>
  t.devices({ disks: diskBus, network: nicModel, graphics: video, cpu: cpuModel })

const columns = (): readonly Column<Profile>[] => [
  {
    header: t.profile,
    role: 'title',
    cell: ({ name, description, builtIn }) => (
      <div className={`${styles.title} ${styles.profile}`}>
        <Row gap={6} nowrap>
          <span className={styles.name} title={name}>
            <Text strong>{name}</Text>
          </span>
          {builtIn ? <Pill tone="idle">{t.builtIn}</Pill> : null}
        </Row>
        <small title={description}>{description}</small>
      </div>
    ),
  },
  {
    header: t.hardware,
    cell: ({ hardware }) => (
      <div className={styles.hardware}>
        {firmwareOf(hardware)}
        <small title={devicesOf(hardware)}>{devicesOf(hardware)}</small>
      </div>
    ),
  },
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
            header: t.delete,
            role: 'acts',
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
